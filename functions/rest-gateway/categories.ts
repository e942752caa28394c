import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { answered, RestError } from "../../shared/rest/answers.ts";
import { categoryShape, isBuiltin } from "../../shared/rest/shapes.ts";
import { categoriesOf } from "./app-categories.ts";
import { type Handler, param } from "./call.ts";
import { byCreation, page } from "./lists.ts";

/** All categories, newest first; charts that came with KubeSphere count here and nowhere else (§2.10). */
export const listCategories: Handler = async (call) => {
  const categories = byCreation(await call.ports.kube.list(HelmCategory)).toReversed();
  const builtin = (await call.ports.kube.list(HelmApplication)).filter(isBuiltin);
  const counts = Map.groupBy(builtin, await categoriesOf(call, builtin));
  return page(call, categories, (category) => {
    const shown = categoryShape(category);
    return { ...shown, app_total: shown.app_total + (counts.get(category.metadata.name)?.length ?? 0) };
  });
};

/** One category. */
export const describeCategory: Handler = async (call) => {
  const name = param(call, "category");
  const category = await call.ports.kube.get(HelmCategory, name);
  if (!category) throw new RestError(404, `category ${name} not found`);
  return answered(categoryShape(category));
};
