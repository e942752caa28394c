import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import * as z from "zod";
import { makeCertificate } from "../../local/api/certificate.ts";
import { openStore, type StoreRequest } from "./api.ts";

const Any = z.looseObject({});
const GET: StoreRequest = { method: "GET", path: "/apps", hint: "see opx app list" };

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Asks a server that answers so. */
async function ask(answer: Answer, request: StoreRequest = GET, shape: z.ZodType = Any): Promise<unknown> {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/below`;
  try {
    return await openStore({ url, authorization: "Bearer t" }).call(request, shape);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("address, token, query and body arrive; progress is told to the end", async () => {
  const seen: unknown[] = [];
  const told: number[] = [];
  const body = { package: "x".repeat(200_000) };
  const query = { conditions: "status=a|b,keyword=é", page: undefined };
  const sent = (bytes: number) => told.push(bytes);
  const answered = await ask(
    async (request, response) => {
      const chunks = await request.toArray();
      seen.push(request.method, request.url, request.headers.authorization, Buffer.concat(chunks).length);
      response.end('{"ok":true}');
    },
    { method: "POST", path: "/apps", query, body, hint: "", sent },
  );
  const total = JSON.stringify(body).length;
  expect(seen).toEqual([
    "POST",
    "/below/kapis/openpitrix.io/v1/apps?conditions=status%3Da%7Cb%2Ckeyword%3D%C3%A9",
    "Bearer t",
    total,
  ]);
  expect([answered, told.at(-1)]).toEqual([{ ok: true }, total]);
});

test("a refusal that comes before everything is sent is still told, whether words or files are sent", async () => {
  const early: Answer = (_, response) => response.writeHead(413, { connection: "close" }).end("too large\n");
  const content = "x".repeat(8_000_000);
  const form = new FormData();
  form.set("package", new Blob([content]), "web.tgz");
  for (const sending of [{ body: { package: content } }, { form }])
    await expect(ask(early, { ...GET, method: "POST", ...sending })).rejects.toThrow(/^too large; leave out/);
});

test.each<[string, Answer, RegExp]>([
  ["no JSON", (_, response) => response.end("hello"), /no answer of the store \(the answer: .*check --server/],
  ["other JSON", (_, response) => response.end('{"total":1}'), /no answer of the store \(items: /],
  [
    "half a body",
    (_, response) => response.writeHead(200, { "content-length": 99 }).write("{", () => response.destroy()),
    /broke off/,
  ],
  ["nothing", (request) => request.socket.destroy(), /127\.0\.0\.1:\d+ does not answer \(socket hang up\)/],
  ["endless", (_, response) => response.writeHead(200, { "content-length": 1e9 }).flushHeaders(), /more than 67108864/],
])("a server that answers with %s is named as the cause", async (_, answer, message) => {
  await expect(ask(answer, GET, z.looseObject({ items: z.array(z.unknown()) }))).rejects.toThrow(message);
});

test("a server is trusted by the authority that is given, and by no other", async () => {
  const { key, certificate } = await makeCertificate("127.0.0.1");
  const server = createSecureServer({ key, cert: certificate }, (_, response) => response.end("{}"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const at = { url, authorization: "Bearer t" };
  expect(await openStore({ ...at, ca: certificate }).call(GET, Any)).toEqual({});
  await expect(openStore(at).call(GET, Any)).rejects.toThrow(/is not trusted \(self-signed .*--server-ca FILE$/);
  server.close();
});
