import { expect, it } from "vitest";
import { CategoryEdited } from "../../shared/events/category.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { announcedBy, given, happened, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const one = given(HelmCategory, "ctg-1", { spec: { name: "Databases", description: "database" } });
const two = given(HelmCategory, "ctg-2", { spec: { name: "Queues" } });
const edit = (data: object, id = "event-1") => happened(CategoryEdited, { category: "ctg-1", ...data }, { id });

it("edits what is named and leaves the rest, as the object was read", () => {
  const decision = subject.decide([one, two], edit({ name: "Stores" }));
  const [written] = writtenBy(decision, "replace", HelmCategory);
  expect(written).toMatchObject({
    metadata: { resourceVersion: "1" },
    spec: { name: "Stores", description: "database" },
  });
  expect(decision.announce).toMatchObject([{ data: { category: "ctg-1", name: "Stores" } }]);
});

it("does not do an old edit again that comes late, after a newer one", () => {
  const [first] = writtenBy(subject.decide([one], edit({ description: "old" })), "replace", HelmCategory);
  if (!first) throw new Error("nothing was written");
  const [second] = writtenBy(subject.decide([first], edit({ description: "new" }, "event-2")), "replace", HelmCategory);
  if (!second) throw new Error("nothing was written");
  const late = subject.decide([second], edit({ description: "old" }));
  expect([writesOf(late), announcedBy(late)]).toEqual([[], ["category.changed"]]);
});

it.each([
  { categories: [one, two], data: { name: "Queues" }, message: "category Queues exists" },
  { categories: [two], data: { name: "Stores" }, message: "category ctg-1 not found" },
  { categories: [one], data: { name: " " }, message: "category name is empty" },
])("refuses: $message", ({ categories, data, message }) => {
  const decision = subject.decide(categories, edit(data));
  expect(decision).toMatchObject({ outcome: "refuse", message, announce: [{ data: { action: "edit", message } }] });
});

it("keeps the name of the category for all that have none, but lets it be described", () => {
  const none = given(HelmCategory, "ctg-uncategorized", { spec: { name: "uncategorized" } });
  const category = "ctg-uncategorized";
  expect(subject.decide([none], edit({ category, name: "Other" }))).toMatchObject({ reason: "Immutable" });
  expect(writesOf(subject.decide([none], edit({ category, description: "documentation" })))).toHaveLength(1);
});
