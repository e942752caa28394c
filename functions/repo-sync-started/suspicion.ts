import type { StoredIndex } from "../../shared/charts/stored-index.ts";
import type { SyncProblem } from "../../shared/lifecycle/sync-status.ts";
import type { HelmRepo } from "../../shared/resources/helm-repo.ts";
import type { ReadIndex, SyncWorld } from "./world.ts";

/** Why an index is not believed yet, and what is remembered of it. */
export interface Suspicion {
  readonly problem: SyncProblem;
  readonly mark: Pick<NonNullable<HelmRepo["status"]>, "suspect">;
}

/** Small repositories replace what little they have; from here on it looks like an accident. */
const MANY = 10;

/**
 * Whether an index lost so much that it is more likely cut off or broken than meant: more than half of the known
 * versions, all of them, or any where the text ends too early. The same index a second time is believed.
 */
export function suspicionOf({ known, repo, now }: SyncWorld, read: ReadIndex): Suspicion | undefined {
  if (!known || repo.status?.suspect?.digest === read.index.contentDigest) return undefined;
  const before = known.charts.reduce((sum, { versions }) => sum + versions, 0);
  const gone = goneVersions(known, read);
  const left = read.index.charts.length;
  const mass = gone * 2 > before && (gone >= MANY || left === 0);
  if (!mass && (read.complete || gone === 0)) return undefined;
  const cut = read.complete ? "" : ", and the text looks cut off: it lacks what Helm writes last";
  const message = `the index lost ${gone} of ${before} versions at once${cut}; nothing was taken away, a second sync that finds the same will do it`;
  const suspect = { digest: read.index.contentDigest, since: now.toISOString() };
  return { problem: { reason: "SuspectIndex", message }, mark: { suspect } };
}

function goneVersions(known: StoredIndex, { index, changed }: ReadIndex): number {
  return changed.reduce((sum, chart) => {
    const present = new Set(index.entry(chart)?.versions.map(({ version }) => version));
    const gone = (known.entry(chart)?.versions ?? []).filter(({ version }) => !present.has(version));
    return sum + gone.length;
  }, 0);
}
