import type { EventOf } from "../../shared/event.ts";
import type { RepoSyncRequested } from "../../shared/events/repo.ts";
import type { Wish } from "../../shared/lifecycle/sync-facts.ts";
import { present } from "../../shared/present.ts";
import type { HelmRepo } from "../../shared/resources/helm-repo.ts";

type Requested = EventOf<typeof RepoSyncRequested>;
type Queued = NonNullable<NonNullable<HelmRepo["status"]>["queued"]>;

/** What a sync that begins is to look at: what the event asks for, and what was asked for during the sync before. */
export function wishOf({ status }: HelmRepo, { data }: Requested): Wish {
  const asked = { force: data.force, chart: data.chart, version: data.version };
  const queued = status?.queued;
  if (!queued) return asked;
  if (!data.force) return { force: true, chart: queued.chart, version: queued.version };
  return { force: true, ...common(asked, queued) };
}

/** What is remembered of this event and those before; `undefined` where it is remembered already. */
export function queuedWish({ status }: HelmRepo, { id, data }: Requested): Queued | undefined {
  const { chart, version, reason } = data;
  const before = status?.queued;
  if (before?.id === id) return undefined;
  const only = before ? common({ chart, version }, before) : { chart, version };
  return { id, reason, ...present(only) };
}

/** The narrowest wish that covers both: one version, one chart, or the whole repository. */
function common(a: Wish, b: Wish): Pick<Wish, "chart" | "version"> {
  if (a.chart === undefined || a.chart !== b.chart) return {};
  return a.version !== undefined && a.version === b.version
    ? { chart: a.chart, version: a.version }
    : { chart: a.chart };
}
