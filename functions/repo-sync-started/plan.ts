import { objectsOf, workList } from "../../shared/charts/work-list.ts";
import { isEdited } from "../../shared/lifecycle/sync-schedule.ts";
import type { RepoStatus, Sync } from "../../shared/lifecycle/sync-status.ts";
import { present } from "../../shared/present.ts";
import { brought, counted } from "./found.ts";
import type { ReadIndex, SyncWorld } from "./world.ts";

/** Versions of each chart that exist as objects where the repository does not say (KubeSphere has them all in one field). */
const DEFAULT_HISTORY = 10;

interface Planned {
  readonly sync: Sync;
  /** What the status says from now on, whatever becomes of the objects. */
  readonly found: Partial<RepoStatus>;
}

/** Writes down what the steps that follow have to do, so that any process can take them up. */
export function plannedSync(world: SyncWorld, read: ReadIndex | undefined): Planned {
  const { repo, known, standouts, now } = world;
  const { indexDigest, etag, lastModified } = repo.status ?? {};
  const limit = repo.spec.versionHistoryLimit ?? DEFAULT_HISTORY;
  const all = standouts || !known || isEdited(repo);
  const to = read?.index ?? known;
  const list = to ? workList({ from: known, to, all, limit }) : [];
  const sync = {
    ...world.sync,
    renewedTime: now.toISOString(),
    ...present({ from: known && indexDigest, to: read?.index.contentDigest ?? indexDigest }),
    all,
    limit,
    after: "",
    chartsDone: 0,
    chartsTotal: list.length,
    objectsDone: 0,
    objectsTotal: objectsOf(list),
    ...(read ? present({ etag: read.etag, lastModified: read.lastModified }) : present({ etag, lastModified })),
  };
  return { sync, found: { ...(read ? brought(read) : {}), statistics: counted(world, read) } };
}
