import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../tools/run-command.ts";

/** One package to make: a folder of `charts/`, and its version where the folder's own is not meant. */
export interface PackageToMake {
  readonly chart: string;
  readonly version: string;
}

/** What the demo's repository offers. */
export const REPOSITORY_PACKAGES: readonly PackageToMake[] = [
  { chart: "hello-web", version: "1.0.0" },
  { chart: "hello-web", version: "1.1.0" },
  { chart: "clock", version: "0.3.0" },
];

/** What the demo's vendor uploads. */
export const VENDOR_PACKAGE: PackageToMake = { chart: "guestbook", version: "2.1.0" };

/** Where helm is and where it may write. */
export interface HelmAt {
  readonly helm: string;
  readonly folder: string;
}

/** Packages charts with the real helm into `<folder>/<name>`; returns that folder. */
export async function makePackages(at: HelmAt, name: string, packages: readonly PackageToMake[]): Promise<string> {
  const target = join(at.folder, name);
  await mkdir(target, { recursive: true });
  for (const { chart, version } of packages) {
    const source = join(import.meta.dirname, "charts", chart);
    await runHelm(at, ["package", source, "--version", version, "--destination", target]);
  }
  return target;
}

/** Makes the folder a Helm repository: writes its index.yaml with the real helm. */
export async function makeIndex(at: HelmAt, repository: string): Promise<void> {
  await runHelm(at, ["repo", "index", repository]);
}

/** Environment in which helm has a home of its own, so that plugins and repositories of the machine stay out of it. */
export function helmHome({ folder }: HelmAt): Readonly<Record<string, string>> {
  const home = join(folder, "helm-home");
  return { HOME: home, HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
}

function runHelm(at: HelmAt, args: readonly string[]): Promise<string> {
  return runCommand(at.helm, args, { env: helmHome(at) });
}
