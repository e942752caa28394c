import { create, replaceStatus, type Write } from "../decision.ts";
import { sha256 } from "../digest.ts";
import { CategoryCounted } from "../events/category.ts";
import type { KubeReader } from "../ports.ts";
import { subjectOf } from "../resource.ts";
import { HelmApplication } from "../resources/helm-application.ts";
import { HelmCategory } from "../resources/helm-category.ts";
import { ANNOTATION, FINALIZER, LABEL, STORE_REPO, UNCATEGORIZED } from "../resources/labels.ts";
import { freed } from "./finalizers.ts";

/** A category, or the name of one that is not there, with the store's copies of applications that are in it. */
export interface Shelf {
  readonly id: string;
  readonly category: HelmCategory | undefined;
  readonly copies: readonly HelmApplication[];
}

type Reader = KubeReader<typeof HelmApplication | typeof HelmCategory>;

/** Reads categories of these names with what is in them. */
export async function gatherShelves(ids: readonly string[], kube: Reader): Promise<readonly Shelf[]> {
  const unique = [...new Set(ids)];
  return Promise.all(
    unique.map(async (id) => {
      // The category first: whoever counts from an older list then finds it changed.
      const category = await kube.get(HelmCategory, id);
      const labels = { [LABEL.categoryId]: id, [LABEL.repoId]: STORE_REPO };
      return { id, category, copies: await kube.list(HelmApplication, { labels }) };
    }),
  );
}

/** Reads all categories with what is in them, and the store's copies that are in none. */
export async function gatherAllShelves(kube: Reader): Promise<readonly Shelf[]> {
  const categories = await kube.list(HelmCategory);
  const copies = await kube.list(HelmApplication, { labels: { [LABEL.repoId]: STORE_REPO } });
  const ids = new Set([UNCATEGORIZED, ...categories.map(({ metadata }) => metadata.name), ...copies.map(shelfOf)]);
  return [...ids].map((id) => ({
    id,
    category: categories.find(({ metadata }) => metadata.name === id),
    copies: copies.filter((copy) => copy.metadata.labels?.[LABEL.categoryId] === id),
  }));
}

/** The category that a store copy is in; without one of its own that is the one for all such. */
export function shelfOf({ metadata }: HelmApplication): string {
  return metadata.labels?.[LABEL.categoryId] || UNCATEGORIZED;
}

/** What counting a category leads to: its status, and the fact (KubeSphere §2.10: store copies that are active). */
export function counted({ id, category, copies }: Shelf) {
  if (!category && id !== UNCATEGORIZED) return { write: [], announce: [] };
  const live = copies.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const total = live.filter(({ status }) => status?.state === "active").length;
  const status = { total, countedFrom: sha256(live.map(viewOf).sort().join("\n")) };
  const fact = CategoryCounted.of(subjectOf(HelmCategory, { name: id }), { category: id, total });
  return { write: category ? brought(category, status, live.length) : [uncategorized(status)], announce: [fact] };
}

/** A copy as it was counted, told apart from itself before it went to and fro: whoever counts an older view finds the count changed. */
function viewOf({ metadata, status }: HelmApplication): string {
  const { state = "draft", derivedFrom = "" } = status ?? {};
  return [metadata.name, state, derivedFrom, metadata.annotations?.[ANNOTATION.acts] ?? ""].join(" ");
}

type Status = NonNullable<HelmCategory["status"]>;

function brought(category: HelmCategory, status: Status, inside: number): readonly Write<"HelmCategory">[] {
  // Deleted with kubectl while applications were in it: the last one has left.
  const leaves = category.metadata.deletionTimestamp !== undefined && inside === 0;
  if (leaves) return freed(HelmCategory, category);
  const { total, countedFrom } = category.status ?? {};
  if (total === status.total && countedFrom === status.countedFrom) return [];
  return [replaceStatus(HelmCategory, category, { ...category.status, ...status })];
}

function uncategorized(status: Status): Write<"HelmCategory"> {
  const metadata = { name: UNCATEGORIZED, finalizers: [FINALIZER.HelmCategory] };
  return create(HelmCategory, { metadata, spec: { name: "uncategorized" }, status });
}
