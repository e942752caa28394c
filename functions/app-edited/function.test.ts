import { expect, it } from "vitest";
import { AppEdited } from "../../shared/events/app.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { announcedBy, given, happened, LONG_AGO, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const CATEGORY = "application.kubesphere.io/app-category-id";
const REPO = "application.kubesphere.io/repo-id";
const app = given(HelmApplication, "app-1", {
  metadata: { labels: { "kubesphere.io/workspace": "demo" } },
  spec: { name: "web", description: "before", icon: "att-old", attachments: ["att-1", "att-2"] },
});
const category = given(HelmCategory, "ctg-1", { spec: { name: "Web" } });
const pictures = new Map([["att-new", new Uint8Array([1])]]);
const world = { app, neighbours: [], category: undefined, pictures: new Map<string, Uint8Array>() };

function edit(data: object, over: Partial<Parameters<typeof subject.decide>[0]> = {}) {
  return subject.decide({ ...world, ...over }, happened(AppEdited, { app: "app-1", ...data }));
}
const written = (decision: ReturnType<typeof edit>) => writtenBy(decision, "replace", HelmApplication)[0];

it("edits what is named and leaves the rest, as the object was read; texts are cut to 512 bytes", () => {
  const decision = edit({ abstraction: "short", description: `${"x".repeat(511)}é`, home: "" });
  expect(written(decision)).toMatchObject({
    metadata: { resourceVersion: "1" },
    spec: { name: "web", abstraction: "short", description: "x".repeat(511), appHome: "", icon: "att-old" },
  });
  expect(announcedBy(decision)).toEqual(["app.changed"]);
  const again = edit({ description: "x" }, { app: written(decision) });
  expect([writesOf(again), announcedBy(again)]).toEqual([[], ["app.changed"]]);
});

it("puts into a category, and takes out of it: in the store into the one for all that have none", () => {
  expect(written(edit({ category: "ctg-1" }, { category }))?.metadata.labels).toMatchObject({ [CATEGORY]: "ctg-1" });
  const labelled = { ...app, metadata: { ...app.metadata, labels: { [CATEGORY]: "ctg-1" } } };
  expect(written(edit({ category: "" }, { app: labelled }))?.metadata.labels).toEqual({});
  const stored = { ...app, metadata: { ...app.metadata, labels: { [CATEGORY]: "ctg-1", [REPO]: "repo-helm" } } };
  expect(written(edit({ category: "" }, { app: stored }))?.metadata.labels?.[CATEGORY]).toBe("ctg-uncategorized");
});

it("takes addresses and attachments for icons, and stores attachments anew before it speaks of them", () => {
  expect(written(edit({ icon: "https://example.org/a.png" }))?.spec.icon).toBe("https://example.org/a.png");
  expect(written(edit({ icon: "" }))?.spec.icon).toBe("");
  const decision = edit({ icon: "att-new" }, { pictures });
  expect(written(decision)?.spec.icon).toBe("att-new");
  expect(decision.blobs).toMatchObject([{ bucket: "attachments", key: "att-new" }]);
});

it("adds screenshots up to six and takes them away by their place; the icon stays what it is", () => {
  expect(written(edit({ addScreenshot: "att-new" }, { pictures }))?.spec.attachments).toEqual([
    "att-1",
    "att-2",
    "att-new",
  ]);
  expect(written(edit({ removeScreenshot: 0 }))?.spec.attachments).toEqual(["att-2"]);
  const full = { ...app, spec: { ...app.spec, attachments: ["1", "2", "3", "4", "5", "6"] } };
  const seventh = edit({ addScreenshot: "att-new" }, { app: full, pictures });
  expect([seventh.outcome, writesOf(seventh)]).toEqual(["refuse", []]);
  expect(seventh).toMatchObject({ reason: "TooManyScreenshots" });
});

it.each([
  { over: { app: undefined }, data: {}, reason: "ApplicationNotFound" },
  {
    over: { app: { ...app, metadata: { ...app.metadata, labels: { [REPO]: "repo-1" } } } },
    data: {},
    reason: "Immutable",
  },
  {
    over: { app: { ...app, metadata: { ...app.metadata, deletionTimestamp: LONG_AGO } } },
    data: {},
    reason: "BeingDeleted",
  },
  { over: {}, data: { name: " " }, reason: "NameMissing" },
  {
    over: { neighbours: [given(HelmApplication, "app-2", { spec: { name: "shop" } })] },
    data: { name: "shop" },
    reason: "NameTaken",
  },
  { over: {}, data: { category: "ctg-9" }, reason: "CategoryNotFound" },
  { over: {}, data: { icon: "javascript:alert(1)" }, reason: "IconUnusable" },
  { over: {}, data: { icon: "att-9" }, reason: "AttachmentNotFound" },
  { over: {}, data: { addScreenshot: "https://example.org/a.png" }, reason: "AttachmentNotFound" },
  { over: {}, data: { removeScreenshot: 5 }, reason: "ScreenshotNotFound" },
])("refuses visibly: $reason", ({ over, data, reason }) => {
  const decision = edit(data, over);
  expect(decision).toMatchObject({ outcome: "refuse", reason });
  expect([writesOf(decision), announcedBy(decision)]).toEqual([[], ["app.action.refused"]]);
});
