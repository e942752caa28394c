import type { Laptop } from "../../knative/local/laptop.ts";
import { runCommand } from "../../knative/local/tools/run-command.ts";
import { Namespace } from "../../shared/resources/core.ts";
import { binary } from "./binaries.ts";

/** What somebody may do, and where; without a workspace everywhere. */
export interface Grant {
  readonly role: "store-admin" | "reviewer" | "vendor" | "member" | "viewer";
  readonly workspace?: string;
}

/** Makes a ServiceAccount of that name with that role, and the namespace of its workspace; gives its token. */
export async function signUp(laptop: Laptop, person: string, { role, workspace }: Grant): Promise<string> {
  const kubectl = (...args: readonly string[]) =>
    runCommand(binary("kubectl"), ["--kubeconfig", laptop.kubeconfigPath, ...args]);
  await kubectl("create", "serviceaccount", person, "-n", "default");
  if (workspace !== undefined)
    await laptop.kube.apply(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: workspace } }, "test");
  const scope = workspace === undefined ? ["clusterrolebinding"] : ["rolebinding", "-n", workspace];
  const bound = [`--clusterrole=openpitrix:${role}`, `--serviceaccount=default:${person}`];
  await kubectl("create", ...scope, person, ...bound);
  return (await kubectl("create", "token", person, "-n", "default")).trim();
}
