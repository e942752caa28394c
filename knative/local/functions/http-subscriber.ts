import { decodeHttp, encodeStructured, STRUCTURED_HEADERS } from "../../../shared/adapters/cloudevents.ts";
import { messageOf } from "../../../shared/errors.ts";
import type { Event } from "../../../shared/event.ts";
import { SYSTEM_NAMESPACE } from "../../../shared/origin.ts";
import { type AnswerContent, type Dispatcher, outcomeOfAnswer, retryAfterMs } from "../eventing/answer.ts";
import type { Attempt, Delivered } from "./subscriber.ts";

/** Bytes of an answer that are read; dead letters keep 1024 of them. */
const MAX_ANSWER = 64 * 1024;

/**
 * Posts an event to a function as a Knative dispatcher does: structured JSON, `Prefer: reply`, no redirects. What the
 * answer means is the dispatcher's rule; no answer and a timeout are tried again. A 2xx may carry one event as reply.
 */
export async function postToFunction(
  url: string,
  { event, timeoutMs }: Attempt,
  dispatcher: Dispatcher = "core",
): Promise<Delivered> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...STRUCTURED_HEADERS, prefer: "reply", "kn-namespace": SYSTEM_NAMESPACE },
      body: Buffer.from(encodeStructured(event)),
      redirect: "manual",
      ...(timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) }),
    });
    return delivered(response, await readBody(response), { url, dispatcher });
  } catch (error) {
    const reason = `no answer from ${url}: ${messageOf(error)}`;
    // Knative reports a missing answer so.
    const answer = { destination: url, code: 500, body: Buffer.from(`dispatch error: ${messageOf(error)}`) };
    return { outcome: { kind: "retry", reason }, answer };
  }
}

interface Sent {
  readonly url: string;
  readonly dispatcher: Dispatcher;
}

function delivered({ status, headers }: Response, body: Buffer, { url, dispatcher }: Sent): Delivered {
  const { content, reply } = contentOf(headers, body);
  const asked = retryAfterMs(headers.get("retry-after"), new Date());
  return {
    outcome: outcomeOfAnswer(status, content, dispatcher),
    answer: { destination: url, code: status, body, ...(asked === undefined ? {} : { retryAfterMs: asked }) },
    ...(reply && status >= 200 && status < 300 ? { reply } : {}),
  };
}

/** The first bytes of a body: the rest of a longer one is not worth waiting for. */
async function readBody({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    total += chunk.length;
    if (total >= MAX_ANSWER) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER);
}

function contentOf(headers: Headers, body: Buffer): { readonly content: AnswerContent; readonly reply?: Event } {
  if (body.length === 0 && !headers.has("ce-specversion")) return { content: "nothing" };
  try {
    const [reply, ...more] = decodeHttp(Object.fromEntries(headers), body);
    return reply && more.length === 0 ? { content: "event", reply } : { content: "other" };
  } catch {
    return { content: "other" };
  }
}
