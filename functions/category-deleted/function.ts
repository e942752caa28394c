import { change } from "../../shared/decision.ts";
import { CategoryActionRefused, CategoryChanged, CategoryDeleted } from "../../shared/events/category.ts";
import { defineFunction } from "../../shared/function.ts";
import { type CategoryDecision, categoryChanged, refuseCategory } from "../../shared/lifecycle/category-act.ts";
import { freed, removed } from "../../shared/lifecycle/finalizers.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { LABEL, STORE_REPO, UNCATEGORIZED } from "../../shared/resources/labels.ts";

/** A shelf goes once nothing stands on it; what was deleted with kubectl waits until then. */
export default defineFunction({
  on: CategoryDeleted,
  summary: "Deletes a category that no application of the store is in.",
  emits: [CategoryChanged, CategoryActionRefused],
  reads: [HelmCategory, HelmApplication],
  writes: [HelmCategory],
  timeoutMs: 20_000,
  gather: async ({ data }, { kube }) => {
    const labels = { [LABEL.categoryId]: data.category, [LABEL.repoId]: STORE_REPO };
    const [category, apps] = await Promise.all([
      kube.get(HelmCategory, data.category),
      kube.list(HelmApplication, { labels }),
    ]);
    return { category, apps };
  },
  decide: ({ category, apps }, event): CategoryDecision => {
    const { category: id } = event.data;
    const gone = { announce: [categoryChanged(id, null)] };
    if (!category) return change(gone);
    const refused = { category: id, action: "delete" };
    if (id === UNCATEGORIZED) {
      // Deleted with kubectl it goes, and is made again.
      if (category.metadata.deletionTimestamp !== undefined) return change({ write: freed(HelmCategory, category) });
      const why = `category ${category.spec.name} stays: applications without a category are in it`;
      return refuseCategory(event, { ...refused, reason: "Immutable", why });
    }
    if (apps.some(({ metadata }) => metadata.deletionTimestamp === undefined)) {
      // Word for word what KubeSphere's clients look for (§6.4).
      const why = `category ${category.spec.name} owns application`;
      return refuseCategory(event, { ...refused, reason: "CategoryInUse", why });
    }
    return change({ write: removed(HelmCategory, category), ...gone });
  },
});
