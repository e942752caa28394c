/** What a port may fail with; the outcome table maps each to an answer. */
export type FailureKind =
  /** Somebody else wrote first: read again and decide again. */
  | "Conflict"
  /** The other side is down, slow or overloaded: try again later. */
  | "Unavailable"
  /** We may not: an administrator has to grant it, so try again later. */
  | "Forbidden"
  /** The other side will never accept this. */
  | "Invalid"
  /** More bytes than allowed. */
  | "TooLarge";

interface FailureOptions extends ErrorOptions {
  readonly retryAfterMs?: number;
}

/** A failed call of a port, in words that do not depend on the client library. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, message: string, options: FailureOptions = {}) {
    super(message, options);
    this.name = "Failure";
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
