import { runCommand } from "../tools/run-command.ts";
import { type HelmAt, helmHome } from "./chart-packages.ts";
import { DEMO } from "./story.ts";

/** One line of `helm list`. */
export interface ListedRelease {
  readonly name: string;
  readonly chart: string;
  readonly status: string;
}

/** Releases of the demo's namespace as the real helm lists them. */
export async function listReleases(at: HelmAt, kubeconfig: string): Promise<readonly ListedRelease[]> {
  return JSON.parse(await helmList(at, kubeconfig, ["-o", "json"])) as readonly ListedRelease[];
}

/** What `helm list` prints for the demo's namespace. */
export function helmList(at: HelmAt, kubeconfig: string, args: readonly string[] = []): Promise<string> {
  const env = { ...helmHome(at), KUBECONFIG: kubeconfig };
  return runCommand(at.helm, ["list", "--namespace", DEMO.namespace, ...args], { env });
}
