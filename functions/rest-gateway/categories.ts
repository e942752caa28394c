import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { answered, RestError } from "../../shared/rest/answers.ts";
import { categoryShape } from "../../shared/rest/shapes.ts";
import { type Handler, param } from "./call.ts";
import { byCreation, page } from "./lists.ts";

/** All categories, newest first. */
export const listCategories: Handler = async (call) =>
  page(call, byCreation(await call.ports.kube.list(HelmCategory)).toReversed(), categoryShape);

/** One category. */
export const describeCategory: Handler = async (call) => {
  const name = param(call, "category");
  const category = await call.ports.kube.get(HelmCategory, name);
  if (!category) throw new RestError(404, `category ${name} not found`);
  return answered(categoryShape(category));
};
