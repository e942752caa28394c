import { versionId } from "../../../shared/charts/ids.ts";
import type { HelmApplication } from "../../../shared/resources/helm-application.ts";
import { LABEL } from "../../../shared/resources/labels.ts";
import type { Kubectl } from "./kubectl.ts";

interface List {
  readonly items: readonly HelmApplication[];
}

/** HelmApplicationVersion of the latest version of a repository's first application, by the name that is shown. */
export async function latestRepositoryVersion(kubectl: Kubectl, repo: string): Promise<string> {
  const { items } = await kubectl.getJson<List>(["helmapplications", "-l", `${LABEL.repoId}=${repo}`]);
  const [first] = items.toSorted((a, b) => a.spec.name.localeCompare(b.spec.name));
  const latest = first?.status?.latestVersion?.split(" ", 1)[0];
  if (!first || !latest) throw new Error(`repository ${repo} has no application with a version`);
  return versionId(first.metadata.name, latest);
}
