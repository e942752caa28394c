import { encodeStructured, STRUCTURED_HEADERS } from "../../../shared/adapters/cloudevents.ts";
import { messageOf } from "../../../shared/errors.ts";
import { SYSTEM_NAMESPACE } from "../../../shared/origin.ts";
import type { Outcome } from "../../../shared/outcome.ts";
import type { Attempt, Delivered } from "./subscriber.ts";

/** Bytes of an answer that are read; dead letters keep 1024 of them. */
const MAX_ANSWER = 64 * 1024;

/** Codes other than 5xx that Knative sends again. */
const RETRIED = new Set([404, 408, 409, 429]);

/**
 * Posts an event to a function as a Knative dispatcher does: structured JSON, `Prefer: reply`, no redirects. 2xx with an
 * empty body is done; 2xx with any other body is a failure, since functions announce instead of replying; 404, 408, 409,
 * 429, 5xx, no answer and a timeout are tried again; everything else is dead.
 */
export async function postToFunction(url: string, { event, timeoutMs }: Attempt): Promise<Delivered> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...STRUCTURED_HEADERS, prefer: "reply", "kn-namespace": SYSTEM_NAMESPACE },
      body: Buffer.from(encodeStructured(event)),
      redirect: "manual",
      ...(timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) }),
    });
    const body = Buffer.from(await response.arrayBuffer()).subarray(0, MAX_ANSWER);
    return { outcome: outcomeOf(response.status, body), answer: { destination: url, code: response.status, body } };
  } catch (error) {
    const reason = `no answer from ${url}: ${messageOf(error)}`;
    const answer = { destination: url, code: -1, body: Buffer.from(reason) };
    return { outcome: { kind: "retry", reason }, answer };
  }
}

function outcomeOf(status: number, body: Uint8Array): Outcome {
  if (status >= 200 && status < 300) {
    if (body.length === 0) return { kind: "done" };
    return { kind: "retry", reason: `answered ${status} with a body that is no event` };
  }
  if (status >= 500 || RETRIED.has(status)) return { kind: "retry", reason: `answered ${status}` };
  return {
    kind: "dead",
    reason: `Status${status}`,
    message: `the function answered ${status}, which is not tried again`,
  };
}
