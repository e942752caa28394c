import { expect, it } from "vitest";
import { AppChanged } from "../../shared/events/app.ts";
import type { AppState } from "../../shared/lifecycle/states.ts";
import { type KubeObject, type ResourceDefinition, subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { createMemoryCluster } from "../../test/support/memory-cluster.ts";
import { given, happened, LONG_AGO, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const REPO = "application.kubesphere.io/repo-id";
const CATEGORY = "application.kubesphere.io/app-category-id";
const COUNTED = "application.kubesphere.io/counted-category";

interface Given {
  readonly state?: AppState;
  readonly category?: string;
  readonly counted?: string;
}

function copy(name: string, { state = "active", category, counted }: Given = {}): HelmApplication {
  const labels = { [REPO]: "repo-helm", ...(category === undefined ? {} : { [CATEGORY]: category }) };
  const annotations = counted === undefined ? {} : { [COUNTED]: counted };
  const status = { state, statusTime: LONG_AGO, updateTime: LONG_AGO };
  return given(HelmApplication, `${name}-store`, { metadata: { labels, annotations }, spec: { name }, status });
}

function shelf(name: string, metadata: object = {}): HelmCategory {
  return given(HelmCategory, name, { metadata, spec: { name }, status: { total: 9 } });
}

/** Decides about `app-1` in a cluster with these objects. */
async function decideIn(objects: readonly KubeObject[], state: AppState | null = "active") {
  const kube = createMemoryCluster();
  for (const object of objects) {
    const kind: ResourceDefinition = object.kind === HelmCategory.kind ? HelmCategory : HelmApplication;
    const made = await kube.create(kind, object, "test");
    if ("status" in object) await kube.replaceStatus(kind, { ...made, status: object.status } as KubeObject, "test");
    if (object.metadata.deletionTimestamp) kube.delete(kind, subjectOf(kind, object.metadata).split("/")[1] ?? "");
  }
  const event = happened(AppChanged, { app: "app-1", state, latestVersion: "1.0.0" });
  const ports = { kube, signal: new AbortController().signal };
  return subject.decide((await subject.gather(event, ports)) as never, event);
}

it("counts active copies of the category, and marks the copy last", async () => {
  const decision = await decideIn([
    shelf("ctg-1"),
    copy("app-1", { category: "ctg-1" }),
    copy("app-2", { category: "ctg-1", state: "suspended" }),
    copy("app-3", { category: "ctg-2" }),
  ]);
  expect(writesOf(decision)).toEqual(["replaceStatus helmcategories/ctg-1", "replace helmapplications/app-1-store"]);
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([{ status: { total: 1 } }]);
  expect(writtenBy(decision, "replace")).toMatchObject([{ metadata: { annotations: { [COUNTED]: "ctg-1" } } }]);
  expect(decision.write?.at(-1)?.last).toBe(true);
  expect(decision.announce).toMatchObject([{ data: { category: "ctg-1", total: 1 } }]);
});

it("counts the category that the copy has left as well, and writes nothing once all is counted", async () => {
  const moved = await decideIn([
    shelf("ctg-1"),
    shelf("ctg-2"),
    copy("app-1", { category: "ctg-2", counted: "ctg-1" }),
  ]);
  expect(moved.announce?.map(({ data }) => data)).toEqual([
    { category: "ctg-2", total: 1 },
    { category: "ctg-1", total: 0 },
  ]);
  const [first, second] = writtenBy(moved, "replaceStatus", HelmCategory);
  const [marked] = writtenBy(moved, "replace", HelmApplication);
  if (!first || !second || !marked) throw new Error("three are written");
  const again = await decideIn([first, second, marked]);
  expect(writesOf(again)).toEqual([]);
  expect(again.announce).toHaveLength(1);
});

it("puts a copy without a category that exists among those that have none, which it makes where it is missing", async () => {
  for (const category of [undefined, "ctg-gone"]) {
    const decision = await decideIn([copy("app-1", category === undefined ? {} : { category })]);
    expect(writesOf(decision)).toEqual([
      "create helmcategories/ctg-uncategorized",
      "replace helmapplications/app-1-store",
    ]);
    expect(writtenBy(decision, "create")).toMatchObject([{ spec: { name: "uncategorized" }, status: { total: 1 } }]);
    expect(writtenBy(decision, "replace")).toMatchObject([
      { metadata: { labels: { [CATEGORY]: "ctg-uncategorized" }, annotations: { [COUNTED]: "ctg-uncategorized" } } },
    ]);
  }
});

it("counts all categories once a copy is gone, since nobody knows where it was; a draft was nowhere", async () => {
  const gone = await decideIn([shelf("ctg-1"), shelf("ctg-uncategorized")], null);
  expect(writesOf(gone)).toEqual([
    "replaceStatus helmcategories/ctg-uncategorized",
    "replaceStatus helmcategories/ctg-1",
  ]);
  expect(writtenBy(gone, "replaceStatus")).toMatchObject([{ status: { total: 0 } }, { status: { total: 0 } }]);
  expect(writesOf(await decideIn([shelf("ctg-1")], "draft"))).toEqual([]);
});

it("lets a category go that was deleted with kubectl once the last application has left it", async () => {
  const finalizers = ["helmcategories.application.kubesphere.io"];
  const leaving = shelf("ctg-1", { finalizers, deletionTimestamp: LONG_AGO });
  const decision = await decideIn([leaving, shelf("ctg-2"), copy("app-1", { category: "ctg-2", counted: "ctg-1" })]);
  expect(writtenBy(decision, "replace", HelmCategory)).toMatchObject([{ metadata: { name: "ctg-1", finalizers: [] } }]);
});
