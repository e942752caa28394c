import { change } from "../../shared/decision.ts";
import { RepoChanged, RepoDeleted } from "../../shared/events/repo.ts";
import { defineFunction } from "../../shared/function.ts";
import { removed } from "../../shared/lifecycle/finalizers.ts";
import { repoChanged } from "../../shared/lifecycle/repo-act.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";

/** A repository goes, and with it what it owns: its applications, their versions and its Secret. Releases stay. */
export default defineFunction({
  on: RepoDeleted,
  summary: "Deletes a repository.",
  emits: [RepoChanged],
  reads: [HelmRepo],
  writes: [HelmRepo],
  timeoutMs: 20_000,
  gather: ({ data }, { kube }) => kube.get(HelmRepo, data.repo),
  decide: (repo: HelmRepo | undefined, { data }) =>
    change({ write: repo ? removed(HelmRepo, repo) : [], announce: [repoChanged(data.repo, null)] }),
});
