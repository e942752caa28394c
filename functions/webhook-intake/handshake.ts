import type { HttpAnswer, HttpRequest } from "../../shared/http-function.ts";

/**
 * The consent that senders of CloudEvents ask for before they deliver (CloudEvents HTTP webhooks §4). It is given to
 * anybody at once, by this answer and never by a callback: a delivery has to prove itself anyway.
 */
export function consent({ headers }: Pick<HttpRequest, "headers">, perMinute: number): HttpAnswer {
  const origin = headers["webhook-request-origin"];
  if (origin === undefined) return { status: 204, headers: { allow: "POST, OPTIONS" } };
  const asked = Number(headers["webhook-request-rate"] ?? perMinute);
  const rate = Number.isInteger(asked) && asked > 0 ? Math.min(asked, perMinute) : perMinute;
  const allowed = { "webhook-allowed-origin": origin, "webhook-allowed-rate": String(rate) };
  return { status: 200, headers: { allow: "POST, OPTIONS", ...allowed } };
}
