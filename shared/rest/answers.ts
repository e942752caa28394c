import type { HttpAnswer } from "../http-function.ts";

/** A request that is answered with an error; the message is the whole body. */
export class RestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "RestError";
    this.status = status;
  }
}

/** Answers 200 with JSON: every success of the v1 API is a 200 (KubeSphere §6.1). */
export function answered(value: unknown): HttpAnswer {
  return { status: 200, headers: JSON_HEADERS, body: JSON.stringify(value) };
}

/** What mutations without an id answer. */
export const SUCCESS = { message: "success" };

/** Answers an error as Go's http.Error does behind KubeSphere: plain text, HTML-escaped, with a newline. */
export function failed(status: number, message: string): HttpAnswer {
  return { status, headers: TEXT_HEADERS, body: `${escaped(message)}\n`, log: { reason: message.slice(0, 300) } };
}

const JSON_HEADERS = { "content-type": "application/json" };
const TEXT_HEADERS = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "'": "&#39;",
};

/** As Go's template.HTMLEscapeString writes them. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
