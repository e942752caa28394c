import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Event } from "../../shared/event.ts";
import type { HttpServer } from "./http-server.ts";
import { startUploads } from "./uploads.ts";

const kept = new Map<string, Uint8Array>();
const published: Event[] = [];
let server: HttpServer;

beforeAll(async () => {
  const blobs = {
    put: async (bucket: string, key: string, bytes: Uint8Array) => void kept.set(`${bucket}/${key}`, bytes),
  };
  const bus = { publish: async (event: Event) => void published.push(event) };
  server = await startUploads({ blobs, bus }, { host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close());
beforeEach(() => {
  kept.clear();
  published.length = 0;
});

const post = (query: string, body: string | Uint8Array<ArrayBuffer>) =>
  fetch(`${server.url}/${query}`, { method: "POST", body });

test("an upload is kept under its digest, announced, and answered with both", async () => {
  const answer = await post("?workspace=demo&filename=web-1.tgz", "bytes");
  const digest = `sha256:${createHash("sha256").update("bytes").digest("hex")}`;
  expect(answer.status).toBe(202);
  expect(await answer.json()).toEqual({ digest, event: published[0]?.id });
  expect(Buffer.from(kept.get(`uploads/${digest}`) ?? []).toString()).toBe("bytes");
  expect(published).toMatchObject([
    { type: "io.openpitrix.package.uploaded", data: { digest, workspace: "demo", filename: "web-1.tgz" } },
  ]);
});

test.each([
  { what: "without a workspace", query: "", body: "bytes", status: 400, message: /workspace/ },
  { what: "without a body", query: "?workspace=demo", body: "", status: 400, message: /no body/ },
  {
    what: "too large",
    query: "?workspace=demo",
    body: new Uint8Array(33 * 1024 * 1024),
    status: 413,
    message: /more than/,
  },
])("refuses an upload $what", async ({ query, body, status, message }) => {
  const answer = await post(query, body);
  expect(answer.status).toBe(status);
  expect(((await answer.json()) as { error: string }).error).toMatch(message);
  expect(published).toEqual([]);
});

test("other methods are refused", async () => {
  expect((await fetch(server.url)).status).toBe(405);
});
