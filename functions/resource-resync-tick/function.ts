import { change, type Decision } from "../../shared/decision.ts";
import { CategoryCounted } from "../../shared/events/category.ts";
import { ResourceChanged, ResourceResyncTick } from "../../shared/events/resource.ts";
import { VersionStateChanged } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { counted, gatherAllShelves, type Shelf } from "../../shared/lifecycle/category-count.ts";
import { isLeaving } from "../../shared/lifecycle/finalizers.ts";
import { type KubeObject, type ResourceDefinition, subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { ADMINISTERED, type FINALIZER, IN_STORE } from "../../shared/resources/labels.ts";
import { staleFacts } from "./stale-apps.ts";

/** Events that one tick sends; the next one goes on. */
const MAX_FACTS = 500;

/** All that the store administers; what follows the index of a repository is brought up to date by its syncs. */
interface World {
  readonly repos: readonly HelmRepo[];
  /** Copies of the store included. */
  readonly apps: readonly HelmApplication[];
  readonly versions: readonly HelmApplicationVersion[];
  readonly shelves: readonly Shelf[];
}

type Emitted = typeof ResourceChanged.type | typeof VersionStateChanged.type | typeof CategoryCounted.type;

/** Mends what lost events have left undone: deletions, states of applications, counts. */
export default defineFunction({
  on: ResourceResyncTick,
  summary: "Announces again what is left undone, and counts all categories.",
  emits: [ResourceChanged, VersionStateChanged, CategoryCounted],
  reads: [HelmRepo, HelmApplication, HelmApplicationVersion, HelmCategory],
  writes: [HelmCategory],
  timeoutMs: 60_000,
  concurrency: 1,
  gather: async (_event, { kube }): Promise<World> => ({
    shelves: await gatherAllShelves(kube),
    repos: await kube.list(HelmRepo),
    apps: [...(await kube.list(HelmApplication, ADMINISTERED)), ...(await kube.list(HelmApplication, IN_STORE))],
    versions: [
      ...(await kube.list(HelmApplicationVersion, ADMINISTERED)),
      ...(await kube.list(HelmApplicationVersion, IN_STORE)),
    ],
  }),
  decide: ({ repos, apps, versions, shelves }): Decision<Emitted, "HelmCategory"> => {
    const counts = shelves.map(counted);
    const categories = shelves.flatMap(({ category }) => category ?? []);
    const announce = [
      ...leaving(HelmRepo, repos),
      ...leaving(HelmApplication, apps),
      ...leaving(HelmApplicationVersion, versions),
      ...leaving(HelmCategory, categories),
      ...staleFacts(apps, versions),
    ];
    return change({
      write: counts.flatMap(({ write }) => write),
      // Counts that were right already are no news.
      announce: [
        ...announce.slice(0, MAX_FACTS),
        ...counts.flatMap(({ write, announce: facts }) => (write.length > 0 ? facts : [])),
      ],
    });
  },
});

/** Deletions that wait for the store are announced again: it may be that nobody has heard of them. */
function leaving(kind: ResourceDefinition<keyof typeof FINALIZER>, objects: readonly KubeObject[]) {
  return objects
    .filter((object) => isLeaving(kind, object))
    .map(({ metadata: { name } }) =>
      ResourceChanged.of(subjectOf(kind, { name }), { change: "update", kind: kind.kind, name }),
    );
}
