import { categoryId, id36 } from "../../shared/charts/ids.ts";
import { change, create } from "../../shared/decision.ts";
import type { EventOf } from "../../shared/event.ts";
import { CategoryCreated } from "../../shared/events/category.ts";
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
import { ANNOTATION, FINALIZER } from "../../shared/resources/labels.ts";

type Created = EventOf<typeof CategoryCreated>;

/** The store gets a shelf. Its id follows from its name, so that two who make it at once make one. */
export default defineFunction({
  ...CATEGORY_ACT_FUNCTION,
  on: CategoryCreated,
  summary: "Makes a category, unless one is called so already.",
  decide: (categories, event): CategoryDecision => {
    const made = categories.find((category) => isDone(category, event));
    if (made) return change({ announce: [categoryChanged(made.metadata.name, made.spec.name)] });
    const name = event.data.name.trim();
    const id = idOf(name, categories, event);
    const problem = nameProblem(name, categories);
    if (problem) return refuseCategory(event, { category: id, action: "create", ...problem });
    return change({ write: [create(HelmCategory, objectOf(id, name, event))], announce: [categoryChanged(id, name)] });
  },
});

/** A category that was renamed keeps the id that follows from its old name. */
function idOf(name: string, categories: readonly HelmCategory[], event: Created): string {
  const id = categoryId(name);
  return categories.some(({ metadata }) => metadata.name === id) ? `ctg-${id36("ctg", name, event.id)}` : id;
}

function objectOf(id: string, name: string, event: Created) {
  const { description, locale } = event.data;
  const creator = event.operator === undefined ? {} : { [ANNOTATION.creator]: event.operator };
  return {
    metadata: {
      name: id,
      annotations: remembering({ annotations: creator }, event),
      finalizers: [FINALIZER.HelmCategory],
    },
    spec: {
      name,
      ...(description === undefined ? {} : { description: cutText(description) }),
      ...(locale === undefined ? {} : { locale }),
    },
    status: { total: 0 },
  };
}
