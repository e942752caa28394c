import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { bodyChunks } from "../../../shared/adapters/http-body.ts";
import { hostile } from "./hostile-server.ts";

test("a reader that pauses at the end of a body leaves the next answer on its connection alone", async () => {
  const { url, requests } = await hostile((_, response) => response.end("the answer"));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answer = async (path: string) => {
    const [response] = await once(get(`${url}${path}`, { agent }), "response");
    return bodyChunks(response as IncomingMessage, { what: path, maxBytes: 100, decompress: false });
  };
  const first = await answer("/first");
  const { value } = await first.next();
  expect(value?.toString()).toBe("the answer");
  const second = await answer("/second");
  expect(requests[0]?.socket).toBe(requests[1]?.socket);
  expect(await Array.fromAsync(second, String)).toEqual(["the answer"]);
  expect(await first.next()).toEqual({ done: true, value: undefined });
  agent.destroy();
});
