import { expect, it } from "vitest";
import { CategoryDeleted } from "../../shared/events/category.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { given, happened, LONG_AGO, writesOf } from "../../test/support/objects.ts";
import subject from "./function.ts";

const finalizers = ["helmcategories.application.kubesphere.io"];
const category = given(HelmCategory, "ctg-1", { metadata: { finalizers }, spec: { name: "Databases" } });
const app = given(HelmApplication, "app-1-store", { spec: { name: "web" } });
const event = happened(CategoryDeleted, { category: "ctg-1" });

it("deletes a category that nothing is in, and lets it go", () => {
  const decision = subject.decide({ category, apps: [] }, event);
  expect(writesOf(decision)).toEqual(["replace helmcategories/ctg-1", "remove helmcategories/ctg-1"]);
  expect(decision.announce).toMatchObject([{ data: { category: "ctg-1", name: null } }]);
});

it("keeps one that owns an application, in the words that KubeSphere's clients know", () => {
  const decision = subject.decide({ category, apps: [app] }, event);
  expect(decision).toMatchObject({ outcome: "refuse", message: "category Databases owns application" });
  const leaving = { ...app, metadata: { ...app.metadata, deletionTimestamp: LONG_AGO } };
  expect(subject.decide({ category, apps: [leaving] }, event).outcome).toBe("change");
});

it("takes one that is gone for deleted", () => {
  expect(subject.decide({ category: undefined, apps: [] }, event)).toMatchObject({ outcome: "change" });
});

it("keeps the one for all that have none, but does not hold on to it once kubectl has deleted it", () => {
  const none = happened(CategoryDeleted, { category: "ctg-uncategorized" });
  const kept = given(HelmCategory, "ctg-uncategorized", { metadata: { finalizers }, spec: { name: "uncategorized" } });
  expect(subject.decide({ category: kept, apps: [] }, none)).toMatchObject({ outcome: "refuse", reason: "Immutable" });
  const leaving = { ...kept, metadata: { ...kept.metadata, deletionTimestamp: LONG_AGO } };
  expect(writesOf(subject.decide({ category: leaving, apps: [app] }, none))).toEqual([
    "replace helmcategories/ctg-uncategorized",
  ]);
});
