import { Failure, type FailureKind } from "../../../shared/errors.ts";

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

const MEANINGS: Readonly<Record<number, Meaning>> = {
  401: { kind: "Forbidden", next: "kubectl create token NAME > FILE makes a token, give it with --token-file FILE" },
  403: { kind: "Forbidden", next: "ask for a role that allows it: kubectl get clusterroles | grep openpitrix:" },
  409: { kind: "Conflict", next: "try again" },
  413: { kind: "TooLarge", next: "leave out of the package what Helm does not need (.helmignore)" },
  429: { kind: "Unavailable", next: "try again in a minute" },
  501: { kind: "Invalid", next: "use kubectl until then" },
  502: { kind: "Unavailable", next: "try again" },
  503: { kind: "Unavailable", next: "try again" },
  504: { kind: "Unavailable", next: "it may still be carried out, look before you repeat it" },
};

/** The failure that ends a command: the store's own words, and what to do next. */
export function refusal({ status, text, hint }: Refused): Failure {
  const { kind, next = hint } = MEANINGS[status] ?? { kind: "Invalid" as const };
  const words = unescaped(text).trim() || `the store answered ${status}`;
  return new Failure(kind, `${words.slice(0, MAX_TEXT)}; ${next}`);
}

/** A proxy's page of an error is no sentence. */
const MAX_TEXT = 2_000;

const CHARACTERS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&#34;": '"',
  "&#39;": "'",
};

/** Errors of the API are escaped for HTML; control characters have no place on a terminal. */
function unescaped(text: string): string {
  const plain = text.replace(/&(?:amp|lt|gt|#34|#39);/g, (entity) => CHARACTERS[entity] ?? entity);
  return plain.replace(/\p{Cc}+/gu, " ");
}
