import { change } from "../../shared/decision.ts";
import type { EventOf } from "../../shared/event.ts";
import { RepoSyncRequested } from "../../shared/events/repo.ts";
import { WebhookReceived } from "../../shared/events/webhook.ts";
import { defineFunction } from "../../shared/function.ts";
import { present } from "../../shared/present.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";

/** What was pushed is looked at now, whatever the schedule says. */
export default defineFunction({
  on: WebhookReceived,
  summary: "Asks for a sync of the repository that something was pushed to, of that chart alone where it is known.",
  emits: [RepoSyncRequested],
  reads: [HelmRepo],
  writes: [],
  timeoutMs: 20_000,
  gather: (event, { kube }) => kube.get(HelmRepo, event.data.repo),
  decide: (repo, { data }) => {
    if (!repo || repo.metadata.deletionTimestamp !== undefined || isQueued(repo, data)) return change({});
    const wanted = present({ chart: data.chart, version: data.version });
    const request = { repo: data.repo, reason: "pushed" as const, force: true, ...wanted };
    return change({ announce: [RepoSyncRequested.of(subjectOf(HelmRepo, repo.metadata), request)] });
  },
});

/** A burst of pushes is one sync: what waits for the sync under way to end will see this one too. */
function isQueued({ status }: HelmRepo, { chart, version }: EventOf<typeof WebhookReceived>["data"]): boolean {
  const queued = status?.queued;
  if (!queued) return false;
  return queued.chart === undefined || (queued.chart === chart && [undefined, version].includes(queued.version));
}
