import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleFunctions } from "../../knative/bundle.ts";
import { startKubernetesApi } from "../../knative/local/api/kubernetes-api.ts";
import { createKube, type Kube } from "../../shared/adapters/kubernetes.ts";
import { toCrd } from "../../shared/crd.ts";
import { VersionSubmitted } from "../../shared/events/version.ts";
import { apiVersionOf } from "../../shared/resource.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { CustomResourceDefinition } from "../support/custom-resource-definition.ts";
import { startNats } from "../support/nats.ts";
import type { Row, Sides } from "./row.ts";
import { type SpawnOptions, spawnServer } from "./spawned-server.ts";

const BARE = `
import { createServer } from "node:http";
createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(202).end());
}).listen(Number(process.env.PORT), "127.0.0.1");
`;

const FUNCTION = "version-submitted";
const PATH_ONLY = { PATH: process.env["PATH"] ?? "" };

const FAAS = "module.exports = { handle: () => undefined };\n";

const what =
  "cold start of a bundled function with the image's compile cache: process start to its first event handled (object read, status written, fact announced)";

/** Our function beside the least that Node can be. */
export const coldStart: Row = {
  id: "cold-start",
  what,
  peerName: "a bare node:http server that answers 202",
  unit: "ms",
  better: "lower",
  target: 1.6,
  prepare: () => prepare("bare"),
};

/** Our function beside Knative's Node runtime doing nothing. */
export const coldStartFaas: Row = {
  id: "cold-start-faas",
  what,
  peerName: "faas-js-runtime doing nothing",
  unit: "ms",
  better: "lower",
  target: 0.35,
  prepare: () => prepare("faas"),
};

async function prepare(peer: "bare" | "faas"): Promise<Sides> {
  const folder = await mkdtemp(join(tmpdir(), "openpitrix-bench-"));
  const nats = await startNats();
  const api = await startKubernetesApi({ nats: await nats.connect({ noEcho: true }), storage: "memory" });
  const kube = createKube({ from: "server", url: api.url, token: api.adminToken, ca: api.certificate });
  await kube.create(CustomResourceDefinition, toCrd(HelmApplicationVersion), "bench");
  const sink = createServer((request, response) => request.resume().on("end", () => response.writeHead(202).end()));
  sink.listen(0, "127.0.0.1");
  await once(sink, "listening");
  const sinkUrl = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`;
  const [bundle] = await bundleFunctions([FUNCTION], folder);
  await writeFile(join(folder, "token"), api.adminToken);
  await writeFile(join(folder, "ca.crt"), api.certificate);
  await writeFile(join(folder, "bare.mjs"), BARE);
  await writeFile(join(folder, "faas.cjs"), FAAS);
  const { port } = new URL(api.url);
  const cache = join(folder, "compile-cache");
  const env = (own: number) => ({
    NODE_COMPILE_CACHE: cache,
    PORT: `${own}`,
    HOST: "127.0.0.1",
    EMIT: "sink",
    K_SINK: sinkUrl,
    DEAD_LETTER_SINK: sinkUrl,
    KUBERNETES_SERVICE_HOST: "127.0.0.1",
    KUBERNETES_SERVICE_PORT: port,
    SERVICE_ACCOUNT_DIRECTORY: folder,
    LOG_LEVEL: "warn",
  });
  await fillCompileCache(folder, cache);
  const peers = { bare: { file: join(folder, "bare.mjs"), env }, faas: { ...faasRuntime(join(folder, "faas.cjs")) } };
  return {
    ours: async () => start({ file: bundle?.file ?? "", env, first: await newDraft(kube) }),
    peer: async () => start({ ...peers[peer], first: await newDraft(kube) }),
    async close() {
      kube.close();
      sink.closeAllConnections();
      sink.close();
      await api.close();
      await nats[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The steps of the image's build (knative/Dockerfile): a start that SIGTERM ends, then every chunk imported once. */
async function fillCompileCache(folder: string, cache: string): Promise<void> {
  const options = { cwd: folder, env: { ...PATH_ONLY, NODE_COMPILE_CACHE: cache, PORT: "0", HOST: "127.0.0.1" } };
  const started = spawn(process.execPath, [`${FUNCTION}.mjs`], { ...options, stdio: ["ignore", "pipe", "inherit"] });
  // Its first line says that it is ready.
  await once(started.stdout, "data");
  started.kill("SIGTERM");
  await once(started, "exit");
  const script = "for (const file of fs.globSync('chunks/*/*.mjs')) import(require('node:path').resolve(file))";
  await once(spawn(process.execPath, ["-e", script], { ...options, stdio: "inherit" }), "exit");
}

/** How faas-js-runtime is started with a function file. */
export function faasRuntime(file: string): Pick<SpawnOptions, "file" | "args" | "env"> {
  const cli = new URL("../../node_modules/faas-js-runtime/bin/cli.js", import.meta.url).pathname;
  return { file: cli, args: (port) => [file, "--port", `${port}`], env: () => ({ FUNC_LOG_LEVEL: "warn" }) };
}

async function start(options: SpawnOptions): Promise<number> {
  const server = await spawnServer(options);
  await server.stop();
  return server.firstAnswerMs;
}

/** A draft of its own for each start, so that every first event has the same work to do. */
async function newDraft(kube: Kube): Promise<SpawnOptions["first"]> {
  const name = `appv-${randomUUID()}`;
  const object = {
    apiVersion: apiVersionOf(HelmApplicationVersion),
    kind: HelmApplicationVersion.kind,
    metadata: { name },
    spec: {},
  };
  await kube.create(HelmApplicationVersion, object, "bench");
  const attributes = {
    specversion: "1.0",
    id: name,
    source: "/bench",
    type: VersionSubmitted.type,
    time: new Date().toISOString(),
  };
  const body = JSON.stringify({ ...attributes, datacontenttype: "application/json", data: { version: name } });
  return { headers: { "content-type": "application/cloudevents+json" }, body };
}
