import { Failure } from "../../../shared/errors.ts";
import type { KubeReader } from "../../../shared/ports.ts";
import { HelmRepo } from "../../../shared/resources/helm-repo.ts";

/** The repository of that name; fails with what to do where there is none. */
export async function findRepo(kube: KubeReader, name: string): Promise<HelmRepo> {
  const repo = await kube.get(HelmRepo, name);
  if (repo) return repo;
  throw new Failure("Invalid", `there is no repository ${name}; see opx repo list`);
}
