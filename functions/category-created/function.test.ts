import { expect, it } from "vitest";
import { categoryId } from "../../shared/charts/ids.ts";
import { CategoryCreated } from "../../shared/events/category.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { announcedBy, given, happened, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const id = categoryId("Databases");
const event = happened(CategoryCreated, { name: " Databases ", description: "é".repeat(300) }, { operator: "ann" });

it("makes a category whose id follows from its name, held until nothing is in it", () => {
  const decision = subject.decide([], event);
  expect(writesOf(decision)).toEqual([`create helmcategories/${id}`]);
  const [made] = writtenBy(decision, "create", HelmCategory);
  expect(made).toMatchObject({
    metadata: {
      annotations: { "kubesphere.io/creator": "ann" },
      finalizers: ["helmcategories.application.kubesphere.io"],
    },
    spec: { name: "Databases", description: "é".repeat(256) },
    status: { total: 0 },
  });
  expect(decision.announce).toMatchObject([{ data: { category: id, name: "Databases" } }]);
  if (!made) throw new Error("nothing was made");
  const again = subject.decide([made], event);
  expect([writesOf(again), announcedBy(again)]).toEqual([[], ["category.changed"]]);
});

it("refuses a name that another one has, and none", () => {
  const other = given(HelmCategory, "ctg-else", { spec: { name: "Databases" } });
  expect(subject.decide([other], event)).toMatchObject({ outcome: "refuse", message: "category Databases exists" });
  const decision = subject.decide([], happened(CategoryCreated, { name: "  " }));
  expect(decision).toMatchObject({ outcome: "refuse", reason: "NameMissing" });
  expect(announcedBy(decision)).toEqual(["category.action.refused"]);
});

it("finds another id where one that was renamed still has the first", () => {
  const renamed = given(HelmCategory, id, { spec: { name: "Stores" } });
  const [made] = writtenBy(subject.decide([renamed], event), "create", HelmCategory);
  expect(made?.metadata.name).toMatch(/^ctg-[0-9a-z]{14}$/);
  expect(made?.metadata.name).not.toBe(id);
});
