import { type Decision, refuse } from "../decision.ts";
import type { Event } from "../event.ts";
import { CategoryActionRefused, CategoryChanged } from "../events/category.ts";
import type { Ports } from "../function.ts";
import { subjectOf } from "../resource.ts";
import { HelmCategory } from "../resources/helm-category.ts";

/** What comes of an act on a category. */
export type CategoryDecision = Decision<
  typeof CategoryChanged.type | typeof CategoryActionRefused.type,
  "HelmCategory"
>;

/** What functions that act on categories by their names declare; `on`, `summary` and `decide` are their own. */
export const CATEGORY_ACT_FUNCTION = {
  emits: [CategoryChanged, CategoryActionRefused],
  reads: [HelmCategory],
  writes: [HelmCategory],
  timeoutMs: 20_000,
  gather: (_event: Event, { kube }: Ports<typeof HelmCategory, never>) => kube.list(HelmCategory),
} as const;

/** The fact that a category is as somebody wanted it; without a name it is gone. */
export function categoryChanged(category: string, name: string | null) {
  return CategoryChanged.of(subjectOf(HelmCategory, { name: category }), { category, name });
}

interface RefusedAct {
  readonly category: string;
  readonly action: string;
  readonly reason: string;
  readonly why: string;
}

/** Refuses an act on a category, with the fact that says so. */
export function refuseCategory({ operator }: Event, { category, action, reason, why }: RefusedAct) {
  const told = { category, action, reason, message: why, ...(operator === undefined ? {} : { operator }) };
  const fact = CategoryActionRefused.of(subjectOf(HelmCategory, { name: category }), told);
  return refuse(reason, why, { announce: [fact] });
}

/** Why a category cannot be called so, if anything speaks against it (texts: KubeSphere §6.4). */
export function nameProblem(name: string, others: readonly HelmCategory[]) {
  if (name === "") return { reason: "NameMissing", why: "category name is empty" };
  if (!others.some(({ spec }) => spec.name === name)) return undefined;
  return { reason: "NameTaken", why: `category ${name} exists` };
}
