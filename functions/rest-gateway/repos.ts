import { RepoSyncRequested } from "../../shared/events/repo.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { answered, SUCCESS } from "../../shared/rest/answers.ts";
import { hasKeyword } from "../../shared/rest/conditions.ts";
import { repoEventShapes, repoShape, workspaceOf } from "../../shared/rest/shapes.ts";
import { occurrenceOf } from "./acts.ts";
import { bodyOf, type Call, conditions, type Handler, inWorkspace, param } from "./call.ts";
import { byCreation, inOrder, page } from "./lists.ts";

/** Repositories of a workspace; without one in path or conditions those of none (§6.3). */
export const listRepos: Handler = async (call) => {
  const asked = conditions(call);
  const workspace = call.params["workspace"] ?? asked.get("workspace") ?? "";
  const repos = byCreation(await call.ports.kube.list(HelmRepo));
  const found = repos.filter((repo) => workspaceOf(repo) === workspace && hasKeyword(asked, repo.spec.name));
  return page(call, inOrder(call, found), repoShape);
};

/** One repository, without its credentials. */
export const describeRepo: Handler = async (call) => answered(repoShape(await repoInPath(call)));

/** The last syncs of a repository. */
export const listRepoEvents: Handler = async (call) =>
  page(call, repoEventShapes(await repoInPath(call)), (each) => each);

/** Asks for a sync; it is under way when this answers, and the repository's state tells how it goes. */
export const actOnRepo: Handler = async (call) => {
  await bodyOf(call);
  const { name } = (await repoInPath(call)).metadata;
  const wish = RepoSyncRequested.of(subjectOf(HelmRepo, { name }), { repo: name, reason: "requested", force: true });
  await call.ports.publish(wish, occurrenceOf(call));
  return answered(SUCCESS);
};

/** The repository that the path names. */
export async function repoInPath(call: Call): Promise<HelmRepo> {
  const name = param(call, "repo");
  const what = `helmrepos.application.kubesphere.io "${name}"`;
  return inWorkspace(call, await call.ports.kube.get(HelmRepo, name), what);
}
