import type { DataOf } from "../../shared/event.ts";
import {
  type CategoryChanged,
  CategoryCreated,
  CategoryDeleted,
  CategoryEdited,
} from "../../shared/events/category.ts";
import { present } from "../../shared/present.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { answered, SUCCESS } from "../../shared/rest/answers.ts";
import { act } from "./acts.ts";
import { bodyOf, type Handler, param, textField } from "./call.ts";

/** Makes a category; KubeSphere's icon and locale are ignored (§6.5). */
export const createCategory: Handler = async (call) => {
  const body = await bodyOf(call);
  const name = textField(body, "name") ?? "";
  const data = { name, ...present({ description: textField(body, "description") }) };
  const outcome = await act(call, CategoryCreated.of(subjectOf(HelmCategory, { name }), data));
  return answered({ category_id: (outcome.data as DataOf<typeof CategoryChanged>).category });
};

/** Renames or describes a category; what the body leaves out stays. */
export const modifyCategory: Handler = async (call) => {
  const body = await bodyOf(call);
  const category = param(call, "category");
  const texts = present({ name: textField(body, "name") || undefined, description: textField(body, "description") });
  await act(call, CategoryEdited.of(subjectOf(HelmCategory, { name: category }), { category, ...texts }));
  return answered(SUCCESS);
};

/** Deletes a category that no application is in; one that is gone counts as deleted. */
export const deleteCategory: Handler = async (call) => {
  const category = param(call, "category");
  await act(call, CategoryDeleted.of(subjectOf(HelmCategory, { name: category }), { category }));
  return answered(SUCCESS);
};
