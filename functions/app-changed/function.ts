import { originalApp } from "../../shared/charts/ids.ts";
import { change, type Decision, last, replace, type Write } from "../../shared/decision.ts";
import { AppChanged } from "../../shared/events/app.ts";
import { CategoryCounted } from "../../shared/events/category.ts";
import { defineFunction } from "../../shared/function.ts";
import {
  counted,
  gatherAllShelves,
  gatherShelves,
  type Shelf,
  shelfOf,
} from "../../shared/lifecycle/category-count.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { ANNOTATION, LABEL, STORE_SUFFIX, UNCATEGORIZED } from "../../shared/resources/labels.ts";

/** What counting is decided on. */
interface World {
  /** The store's copy, which is what counts. */
  readonly copy: HelmApplication | undefined;
  readonly shelves: readonly Shelf[];
}

/** Categories follow their applications: the one that an application is in is counted, and the one it was in. */
export default defineFunction({
  on: AppChanged,
  summary: "Counts the categories that an application of the store is and was in.",
  emits: [CategoryCounted],
  reads: [HelmApplication, HelmCategory],
  writes: [HelmApplication, HelmCategory],
  timeoutMs: 30_000,
  gather: async ({ data }, { kube }): Promise<World> => {
    const copy = await kube.get(HelmApplication, `${originalApp(data.app)}${STORE_SUFFIX}`);
    if (copy) {
      const before = copy.metadata.annotations?.[ANNOTATION.countedIn];
      const shelves = await gatherShelves([shelfOf(copy), ...(before ? [before] : [])], kube);
      return { copy, shelves: shelves[0]?.category ? shelves : await gatherAllShelves(kube) };
    }
    // A draft has never been in the store; of a copy that is gone nobody knows where it was.
    return { copy, shelves: data.state === "draft" ? [] : await gatherAllShelves(kube) };
  },
  decide: ({ copy, shelves }): Decision<typeof CategoryCounted.type, "HelmApplication" | "HelmCategory"> => {
    const placed = copy && inCategory(copy, homeOf(copy, shelves));
    const counts = shelves.map((shelf) => counted(withCopy(shelf, copy, placed)));
    return change({
      write: [...counts.flatMap(({ write }) => write), ...mark(copy, placed)],
      announce: counts.flatMap(({ announce }) => announce),
    });
  },
});

/** A category that is not there any more leaves its applications without one. */
function homeOf(copy: HelmApplication, shelves: readonly Shelf[]): string {
  return shelves.find(({ id, category }) => category && id === shelfOf(copy))?.id ?? UNCATEGORIZED;
}

function inCategory(copy: HelmApplication, category: string): HelmApplication {
  const { labels, annotations } = copy.metadata;
  const metadata = {
    ...copy.metadata,
    labels: { ...labels, [LABEL.categoryId]: category },
    annotations: { ...annotations, [ANNOTATION.countedIn]: category },
  };
  return { ...copy, metadata };
}

/** The category as it is once a copy without one is in it. */
function withCopy(shelf: Shelf, copy: HelmApplication | undefined, placed: HelmApplication | undefined): Shelf {
  const enters = placed?.metadata.labels?.[LABEL.categoryId] === shelf.id;
  if (!placed || !enters || copy?.metadata.labels?.[LABEL.categoryId] === shelf.id) return shelf;
  return { ...shelf, copies: [...shelf.copies, placed] };
}

/** Only when the counts are there is the copy marked: whatever dies before is done again. */
function mark(
  copy: HelmApplication | undefined,
  placed: HelmApplication | undefined,
): readonly Write<"HelmApplication">[] {
  if (!copy || !placed || copy.metadata.deletionTimestamp !== undefined) return [];
  const { labels, annotations } = copy.metadata;
  const category = placed.metadata.labels?.[LABEL.categoryId];
  const known = labels?.[LABEL.categoryId] === category && annotations?.[ANNOTATION.countedIn] === category;
  return known ? [] : [last(replace(HelmApplication, placed))];
}
