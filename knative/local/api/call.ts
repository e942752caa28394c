import type { IncomingMessage, ServerResponse } from "node:http";
import type { User } from "./user.ts";

/** Everything one request brings along. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly user: User;
  /** Sent as Warning headers; clients print them. */
  readonly warnings: string[];
}

/** What is sent back; `text` is JSON unless a type says otherwise. */
export interface Answer {
  readonly code: number;
  readonly text: string;
  /** More text, made while it is sent: long lists need not be in memory as a whole. */
  readonly more?: Generator<string>;
  /** Sent instead of the text where the type is no text. */
  readonly bytes?: Buffer;
  readonly type?: string;
}

/** An answer with a JSON body. */
export function jsonAnswer(code: number, body: unknown): Answer {
  return { code, text: JSON.stringify(body) };
}

/** True for a query parameter that is switched on (`?watch`, `?watch=1`, `?watch=true`). */
export function flag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && !["0", "false", "False", "f", "F"].includes(value);
}
