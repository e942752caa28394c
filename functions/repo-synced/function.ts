import { change } from "../../shared/decision.ts";
import { RepoSynced } from "../../shared/events/repo.ts";
import { VerificationRequested } from "../../shared/events/verification.ts";
import { defineFunction } from "../../shared/function.ts";
import { subjectOf } from "../../shared/resource.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { verificationDue } from "../../shared/trust/due.ts";
import { readDemands } from "../../shared/trust/trust-keys.ts";

/** Versions that one event names: each costs a small request or two to the repository. */
const BATCH = 20;

/** Versions looked at on account of one sync; the others follow after the next. */
const MAX_AT_ONCE = 5000;

interface World {
  readonly repo: HelmRepo | undefined;
  /** Digest of what the repository demands; absent: nothing. */
  readonly mark?: string;
  readonly versions: readonly HelmApplicationVersion[];
  readonly now: Date;
}

/** Has signatures looked at before anybody asks for the versions, where the repository demands some. */
export default defineFunction({
  on: RepoSynced,
  summary: "Asks for a look at the signatures of versions that a sync brought, where the repository demands some.",
  emits: [VerificationRequested],
  reads: [HelmRepo, HelmApplicationVersion, Secret],
  writes: [],
  uses: ["clock"],
  timeoutMs: 60_000,
  gather: async ({ data }, { kube, clock }): Promise<World> => {
    const repo = await kube.get(HelmRepo, data.repo);
    const demands = repo && (await readDemands(repo, kube));
    if (!demands) return { repo, versions: [], now: clock.now() };
    const versions = await kube.list(HelmApplicationVersion, { labels: { [LABEL.repoId]: data.repo } });
    return { repo, mark: demands.mark, versions, now: clock.now() };
  },
  decide: ({ repo, mark, versions, now }, { data }) => {
    if (!repo || mark === undefined) return change({});
    const due = versions.filter((version) => verificationDue(version, mark, now)).slice(0, MAX_AT_ONCE);
    const subject = subjectOf(HelmRepo, repo.metadata);
    const announce = batches(due.map(({ metadata }) => metadata.name)).map((names) =>
      VerificationRequested.of(subject, { repo: data.repo, versions: names, mark }, { name: names[0] ?? "" }),
    );
    return change({ announce });
  },
});

function batches(names: readonly string[]): readonly string[][] {
  const count = Math.ceil(names.length / BATCH);
  return Array.from({ length: count }, (_, index) => names.slice(index * BATCH, (index + 1) * BATCH));
}
