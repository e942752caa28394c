import { Failure, type FailureKind, messageOf } from "../errors.ts";
import { retryAfterMs } from "./http-body.ts";

/** The answer of an API server, its body as text. */
export interface KubeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** The fields of a Kubernetes `Status` object that matter here. */
export interface KubeStatus {
  readonly code?: number;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: {
    readonly name?: string;
    readonly kind?: string;
    readonly retryAfterSeconds?: number;
  };
}

/** The server no longer has the history that a watch or a list page needs: read everything again. */
export class Expired extends Failure {
  constructor(message: string) {
    super("Unavailable", message);
    this.name = "Expired";
  }
}

const MAX_SERVER_TEXT = 1024;

/** The failure that an answer other than 2xx means; `what` is verb and object: `create helmrepos/repo-abc`. */
export function failureOf(what: string, answer: KubeAnswer): Failure {
  const status = statusOf(answer.text);
  const header = answer.headers["retry-after"];
  const wait = retryAfterMs(typeof header === "string" ? header : undefined) ?? waitOf(status);
  return failureOfStatus(what, { ...status, code: answer.status }, wait);
}

/** The failure that a `Status` object means, whether it came as an answer or inside a watch. */
export function failureOfStatus(
  what: string,
  status: KubeStatus,
  waitMs: number | undefined = waitOf(status),
): Failure {
  const code = status.code ?? 500;
  const text = (status.message ?? "no explanation").slice(0, MAX_SERVER_TEXT).trim();
  const label = status.reason ? `${code} ${status.reason}` : `${code}`;
  const message = `${what}: ${text} (HTTP ${label})${nextStep(code)}`;
  if (code === 410) return new Expired(message);
  return new Failure(kindOf(code), message, waitMs === undefined ? {} : { retryAfterMs: waitMs });
}

/** Reads a body as a `Status`; a proxy's plain text becomes its message. */
export function statusOf(text: string): KubeStatus {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && "kind" in value && value.kind === "Status") {
      return value as KubeStatus;
    }
  } catch {
    // Not JSON: proxies and old handlers answer in plain text.
  }
  return text.trim() === "" ? {} : { message: text };
}

/** The failure of a connection that could not be made or broke. */
export function unreachable(what: string, server: URL, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const hint = "check that the API server is up and reachable from here";
  return new Failure("Unavailable", `${what}: no answer from ${server.origin} (${messageOf(cause)}); ${hint}`, {
    cause: error,
  });
}

function waitOf({ details }: KubeStatus): number | undefined {
  return details?.retryAfterSeconds === undefined ? undefined : details.retryAfterSeconds * 1000;
}

function kindOf(code: number): FailureKind {
  if (code === 409) return "Conflict";
  if (code === 401 || code === 403) return "Forbidden";
  if (code === 408 || code === 429 || code >= 500) return "Unavailable";
  return "Invalid";
}

function nextStep(code: number): string {
  if (code === 401) return "; check the token or the kubeconfig";
  return code === 403 ? "; grant it to this account with a Role or ClusterRole" : "";
}
