import { Failure, type FailureKind } from "../../../shared/errors.ts";
import { plain } from "../text.ts";

/** What the store answered instead of what was asked for. */
export interface Refused {
  readonly status: number;
  readonly text: string;
  /** What to do where the status alone does not say it. */
  readonly hint: string;
}

interface Meaning {
  readonly kind: FailureKind;
  readonly next?: string;
}

const MOVED: Meaning = { kind: "Invalid", next: "the address has changed: give the new one with --server" };

const MEANINGS: Readonly<Record<number, Meaning>> = {
  301: MOVED,
  302: MOVED,
  307: MOVED,
  308: MOVED,
  401: { kind: "Forbidden", next: "kubectl create token NAME > FILE makes a token, give it with --token-file FILE" },
  403: { kind: "Forbidden", next: "ask for a role that allows it: kubectl get clusterroles | grep openpitrix:" },
  409: { kind: "Conflict", next: "try again" },
  413: { kind: "TooLarge", next: "leave out of the package what Helm does not need (.helmignore)" },
  429: { kind: "Unavailable", next: "try again in a minute" },
  501: { kind: "Invalid", next: "use kubectl until then" },
  502: { kind: "Unavailable", next: "try again" },
  503: { kind: "Unavailable", next: "try again" },
  504: {
    kind: "Unavailable",
    next: "look what became of it before you repeat it: opx outcome EVENT, with the id above",
  },
};

/** The failure that ends a command: the store's own words, and what to do next. */
export function refusal({ status, text, hint }: Refused): Failure {
  const { kind, next = hint } = MEANINGS[status] ?? { kind: "Invalid" as const };
  const words = isPage(text) ? "" : plain(unescaped(text)).trim();
  return new Failure(kind, `${words.slice(0, MAX_TEXT) || `the store answered ${status}`}; ${next}`);
}

const MAX_TEXT = 2_000;

/** What a proxy in between says is no sentence. */
function isPage(text: string): boolean {
  return /^\s*<(!doctype|html)/i.test(text);
}

const CHARACTERS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&#34;": '"',
  "&#39;": "'",
};

/** Errors of the API are escaped for HTML. */
function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|#34|#39);/g, (entity) => CHARACTERS[entity] ?? entity);
}
