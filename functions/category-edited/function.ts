import { change, replace } from "../../shared/decision.ts";
import type { EventOf } from "../../shared/event.ts";
import { CategoryEdited } from "../../shared/events/category.ts";
import { defineFunction } from "../../shared/function.ts";
import {
  CATEGORY_ACT_FUNCTION,
  type CategoryDecision,
  categoryChanged,
  nameProblem,
  refuseCategory,
} from "../../shared/lifecycle/category-act.ts";
import { isDone, remembering } from "../../shared/lifecycle/remembered-acts.ts";
import { cutText } from "../../shared/lifecycle/version-object.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { UNCATEGORIZED } from "../../shared/resources/labels.ts";

/** A shelf gets another name or description; its id stays. */
export default defineFunction({
  ...CATEGORY_ACT_FUNCTION,
  on: CategoryEdited,
  summary: "Renames or describes a category.",
  decide: (categories, event): CategoryDecision => {
    const { category: id } = event.data;
    const category = categories.find(({ metadata }) => metadata.name === id);
    if (category && isDone(category, event)) return change({ announce: [categoryChanged(id, category.spec.name)] });
    const problem = problemOf(category, categories, event);
    if (problem || !category) return refuseCategory(event, { category: id, action: "edit", ...(problem ?? GONE) });
    const edited = editedCategory(category, event);
    return change({
      write: [replace(HelmCategory, edited)],
      announce: [categoryChanged(id, edited.spec.name)],
    });
  },
});

type Edited = EventOf<typeof CategoryEdited>;

const GONE = { reason: "CategoryNotFound", why: "the category is gone" };

function problemOf(category: HelmCategory | undefined, categories: readonly HelmCategory[], { data }: Edited) {
  if (!category) return { reason: "CategoryNotFound", why: `category ${data.category} not found` };
  const name = data.name?.trim();
  if (name === undefined || name === category.spec.name) return undefined;
  if (data.category !== UNCATEGORIZED) return nameProblem(name, categories);
  return { reason: "Immutable", why: `category ${UNCATEGORIZED} keeps its name: clients know it by that` };
}

function editedCategory(category: HelmCategory, event: Edited): HelmCategory {
  const { name, description, locale } = event.data;
  return {
    ...category,
    metadata: { ...category.metadata, annotations: remembering(category.metadata, event) },
    spec: {
      ...category.spec,
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(description === undefined ? {} : { description: cutText(description) }),
      ...(locale === undefined ? {} : { locale }),
    },
  };
}
