import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { functions, httpFunctions } from "../../functions/index.ts";
import { type Bundle, bundleFunctions } from "../../knative/bundle.ts";

/** What a start may read: every KiB is parsed before the first event is handled. */
const START_KIB = 680;

/** What a function may weigh with everything it can load later. */
const TOTAL_KIB = 1100;

const NAMES = [...functions, ...httpFunctions].map(({ name }) => name);

let folder = "";
let bundles: readonly Bundle[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bundles-"));
  bundles = await bundleFunctions(NAMES, folder);
});

afterAll(() => rm(folder, { recursive: true }));

test("every function is bundled and light to start", () => {
  expect(bundles.map(({ name }) => name)).toEqual(NAMES);
  const heavy = bundles.filter(
    ({ startBytes, totalBytes }) => startBytes > START_KIB * 1024 || totalBytes > TOTAL_KIB * 1024,
  );
  expect(heavy).toEqual([]);
});

test("an unknown name is refused with the known ones", async () => {
  await expect(bundleFunctions(["no-such"], folder)).rejects.toThrow(/no function is called no-such.*repo-sync-tick/);
});

test("a bundle runs on its own: ready, deaf to foreign events, gone when told", async () => {
  const file = bundles.find(({ name }) => name === "version-approved")?.file ?? "";
  const env = {
    PORT: "0",
    HOST: "127.0.0.1",
    DELIVERY: "http",
    EMIT: "sink",
    K_SINK: "http://127.0.0.1:9/",
    DEAD_LETTER_SINK: "http://127.0.0.1:9/",
  };
  const child = spawn(process.execPath, [file], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  const exit = once(child, "exit");
  try {
    const line = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
    const { url } = JSON.parse(String(line.value)) as { url: string };
    expect((await fetch(`${url}/health/readiness`)).status).toBe(200);
    const event = { specversion: "1.0", id: "1", source: "/test", type: "io.example.other", data: {} };
    const headers = { "content-type": "application/cloudevents+json" };
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(event) });
    expect([answer.status, await answer.text()]).toEqual([202, ""]);
  } finally {
    child.kill("SIGTERM");
  }
  expect(await exit).toEqual([0, null]);
});
