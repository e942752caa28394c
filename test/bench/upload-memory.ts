import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleFunctions } from "../../knative/bundle.ts";
import { freePort } from "../../knative/local/functions/free-port.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { pack } from "../support/archives.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { signUp } from "../support/people.ts";
import { until } from "../support/until.ts";
import type { Row, Sides } from "./row.ts";

const UPLOADS = 10;
const LIMIT_MIB = 200;

/** Bytes of each file of a package that nothing packs smaller; four make ten megabytes. */
const FILE_BYTES = 2_500_000;
const PATIENCE_MS = 120_000;

/** The gateway's process as it is shipped, while ten large packages come at once. */
export const uploadMemory: Row = {
  id: "upload-memory",
  what: `most resident memory of the bundled rest-gateway while ${UPLOADS} packages of 10 MB are uploaded at once`,
  peerName: `the limit of ${LIMIT_MIB} MiB`,
  unit: "MiB",
  better: "lower",
  target: 1,
  prepare,
};

async function prepare(): Promise<Sides> {
  const folder = await mkdtemp(join(tmpdir(), "openpitrix-bench-"));
  const laptop = await startTestLaptop();
  const token = await signUp(laptop, "ada", { role: "store-admin" });
  const [bundle] = await bundleFunctions(["rest-gateway"], folder);
  const env = { PATH: process.env["PATH"] ?? "", KUBECONFIG: laptop.kubeconfigPath, NATS_URL: laptop.natsUrl };
  let round = 0;
  return {
    async ours() {
      const gateway = await start(bundle?.file ?? "", env);
      const prefix = `big${round++}`;
      try {
        await Promise.all(names(prefix).map((name) => upload(gateway.url, token, name)));
        await until("every package is a draft", async () => (await drafts(laptop, prefix)) === UPLOADS, {
          timeoutMs: PATIENCE_MS,
        });
        return await peakOf(gateway.child);
      } finally {
        gateway.child.kill("SIGTERM");
        await once(gateway.child, "exit");
      }
    },
    peer: async () => LIMIT_MIB,
    async close() {
      await laptop.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const names = (prefix: string) => Array.from({ length: UPLOADS }, (_, index) => `${prefix}-${index}`);

async function start(file: string, env: Readonly<Record<string, string>>) {
  const port = await freePort();
  const own = { PORT: `${port}`, HOST: "127.0.0.1", EMIT: "nats", LOG_LEVEL: "error" };
  const child = spawn(process.execPath, [file], { env: { ...env, ...own }, stdio: ["ignore", "ignore", "inherit"] });
  const url = `http://127.0.0.1:${port}`;
  await until("the gateway answers", () =>
    fetch(`${url}/health/readiness`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { child, url };
}

/** An answer may say that the outcome takes longer than it waits; whether the package came in is seen later. */
async function upload(url: string, token: string, name: string): Promise<void> {
  const files = [0, 1, 2, 3].map((part) => ({ path: `${name}/files/${part}.bin`, body: randomBytes(FILE_BYTES) }));
  const chart = { path: `${name}/Chart.yaml`, body: `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n` };
  const form = new FormData();
  form.append("version_package", new Blob([new Uint8Array(pack(chart, ...files))]), `${name}-1.0.0.tgz`);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/kapis/openpitrix.io/v1/workspaces/demo/apps`, {
    method: "POST",
    headers,
    body: form,
  });
  const text = await answer.text();
  if (![200, 504].includes(answer.status)) throw new Error(`${name}: ${answer.status} ${text}`);
}

async function drafts({ kube }: Awaited<ReturnType<typeof startTestLaptop>>, prefix: string): Promise<number> {
  const versions = await kube.list(HelmApplicationVersion);
  return versions.filter(({ spec, status }) => spec.name?.startsWith(`${prefix}-`) && status?.state === "draft").length;
}

/** The kernel's own count of the most that was resident. */
async function peakOf({ pid }: ChildProcess): Promise<number> {
  const peak = /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, "utf8"));
  return Number(peak?.[1]) / 1024;
}
