import * as z from "zod";
import { Failure, type FailureKind, messageOf } from "../errors.ts";
import type { HttpAnswer } from "../http-function.ts";
import { failed, RestError } from "./answers.ts";

const STATUS: Readonly<Record<FailureKind, number>> = {
  Invalid: 400,
  // What we may not do, no caller can mend.
  Forbidden: 500,
  Conflict: 409,
  TooLarge: 413,
  Unavailable: 503,
};

/**
 * The answer to a request that was not carried out, always plain text: what handlers throw, what ports fail with, and
 * what an event does not take (a name that is none, a text that is too long). Anything else is told to the log only.
 */
export function failureAnswer(error: unknown): HttpAnswer {
  if (error instanceof RestError) return withHeaders(failed(error.status, error.message), headersOf(error.status));
  if (error instanceof z.ZodError) return failed(400, z.prettifyError(error).replaceAll(/\s+/g, " "));
  if (error instanceof Failure) {
    const { kind, message, retryAfterMs = 1_000 } = error;
    const again = kind === "Unavailable" ? { "retry-after": String(Math.ceil(retryAfterMs / 1000)) } : {};
    return withHeaders(failed(STATUS[kind], message), again);
  }
  return { ...failed(500, "unexpected error; the log of this function names it"), log: { reason: messageOf(error) } };
}

function headersOf(status: number): Readonly<Record<string, string>> {
  if (status === 401) return { "www-authenticate": "Bearer" };
  return status === 429 ? { "retry-after": "1" } : {};
}

function withHeaders(answer: HttpAnswer, headers: Readonly<Record<string, string>>): HttpAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
