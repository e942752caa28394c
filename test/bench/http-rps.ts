import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { build } from "esbuild";
import { BUNDLE_OPTIONS } from "../../knative/bundle-options.ts";
import { faasRuntime } from "./cold-start.ts";
import { BenchAsked } from "./idle-function.ts";
import type { Row } from "./row.ts";
import { type SpawnedServer, type SpawnOptions, spawnServer } from "./spawned-server.ts";

const SECONDS = 4;
const CONNECTIONS = 32;

/** CloudEvents through one function over HTTP. */
export const httpRps: Row = {
  id: "http-rps",
  what: "CloudEvents of 1 KB per second over HTTP through a function that does nothing, 32 connections",
  peerName: "faas-js-runtime doing nothing",
  unit: "events/s",
  better: "higher",
  target: 3,
  async prepare() {
    const folder = await mkdtemp(join(tmpdir(), "openpitrix-bench-"));
    const file = join(folder, "idle.mjs");
    await bundleIdle(file);
    await writeFile(join(folder, "faas.cjs"), "module.exports = { handle: () => undefined };\n");
    const env = (port: number) => ({ ...QUIET, PORT: `${port}` });
    const ours = await spawnServer({ file, env, first: EVENT });
    const peer = await spawnServer({ ...faasRuntime(join(folder, "faas.cjs")), first: EVENT });
    return {
      ours: () => load(ours),
      peer: () => load(peer),
      async close() {
        await Promise.all([ours.stop(), peer.stop()]);
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

const QUIET = {
  HOST: "127.0.0.1",
  EMIT: "sink",
  K_SINK: "http://127.0.0.1:9/",
  DEAD_LETTER_SINK: "http://127.0.0.1:9/",
  LOG_LEVEL: "warn",
};

const EVENT: SpawnOptions["first"] = {
  headers: {
    "ce-specversion": "1.0",
    "ce-id": "bench-1",
    "ce-source": "/bench",
    "ce-type": BenchAsked.type,
    "ce-time": "2026-05-04T12:00:00Z",
    "content-type": "application/json",
  },
  body: JSON.stringify({ number: 1, text: "x".repeat(1000) }),
};

async function bundleIdle(outfile: string): Promise<void> {
  const contents =
    'import { idle } from "./idle-function.ts"; import { serve } from "../../shared/host/main.ts"; await serve(idle);';
  await build({
    ...BUNDLE_OPTIONS,
    stdin: { contents, resolveDir: import.meta.dirname, loader: "ts" },
    outfile,
    external: ["@kubernetes/client-node"],
  });
}

async function load({ url }: SpawnedServer): Promise<number> {
  const { headers, body } = EVENT;
  const result = await autocannon({
    url,
    method: "POST",
    headers,
    body,
    connections: CONNECTIONS,
    duration: SECONDS,
    workers: 1,
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests to ${url} failed`);
  return result.requests.total / result.duration;
}
