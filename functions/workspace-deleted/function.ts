import { change, type Decision, type Write } from "../../shared/decision.ts";
import { WorkspaceCleared, WorkspaceDeleted } from "../../shared/events/workspace.ts";
import { defineFunction } from "../../shared/function.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { clearingWrites, type World } from "./clearing.ts";

/** Objects that one event clears; it announces itself again while there are more. */
const MAX_AT_ONCE = 200;

type Written = "HelmRelease" | "HelmRepo" | "HelmApplication" | "HelmApplicationVersion";

/** A workspace leaves the store: what is published stays, without an owner that a new workspace could be (KubeSphere §2.11). */
export default defineFunction({
  on: WorkspaceDeleted,
  summary: "Deletes what a workspace has in the store, and takes the workspace off what is published.",
  emits: [WorkspaceDeleted, WorkspaceCleared],
  reads: [HelmRelease, HelmRepo, HelmApplication, HelmApplicationVersion],
  writes: [HelmRelease, HelmRepo, HelmApplication, HelmApplicationVersion],
  timeoutMs: 60_000,
  concurrency: 1,
  gather: async ({ data }, { kube }): Promise<World> => {
    const labels = { [LABEL.workspace]: data.workspace };
    return {
      releases: await kube.list(HelmRelease, { labels }),
      repos: await kube.list(HelmRepo, { labels }),
      apps: await kube.list(HelmApplication, { labels }),
      copies: await kube.list(HelmApplication, { labels: { [LABEL.workspaceOrigin]: data.workspace } }),
      versions: await kube.list(HelmApplicationVersion, { labels }),
    };
  },
  decide: (world, { data }): Decision<typeof WorkspaceDeleted.type | typeof WorkspaceCleared.type, Written> => {
    const writes: readonly Write<Written>[] = clearingWrites(world);
    const subject = `workspaces/${data.workspace}`;
    if (writes.length === 0) return change({ announce: [WorkspaceCleared.of(subject, data)] });
    // What is left is looked at again, also where it was little: others may have added to it meanwhile.
    return change({ write: writes.slice(0, MAX_AT_ONCE), announce: [WorkspaceDeleted.of(subject, data)] });
  },
});
