import { decodeHttp } from "./adapters/cloudevents.ts";
import type { Event } from "./event.ts";
import type { HttpRequest } from "./http-function.ts";

/** The CloudEvents of a request: one in binary or structured mode, or a batch. Fails with `Invalid`, naming what is wrong. */
export async function eventsIn(request: Pick<HttpRequest, "headers" | "bytes">): Promise<readonly Event[]> {
  return decodeHttp(request.headers, await request.bytes());
}
