import { describe, expect, it } from "vitest";
import { given } from "../../test/support/objects.ts";
import { HelmApplication } from "../resources/helm-application.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { HelmCategory } from "../resources/helm-category.ts";
import { HelmRepo } from "../resources/helm-repo.ts";
import { ANSWERS } from "./schemas.ts";
import {
  appShape,
  auditShape,
  baseId,
  categoryShape,
  isOffered,
  repoEventShapes,
  repoShape,
  restTime,
  reviewShape,
  versionShape,
} from "./shapes.ts";

const TIME = "2026-05-04T11:00:00Z";
const SHOWN = "2026-05-04T11:00:00.000Z";
const NEVER = "0001-01-01T00:00:00.000Z";
const labels = { "kubesphere.io/workspace": "demo" };
const annotations = { "kubesphere.io/creator": "ann" };
const metadata = { labels, annotations, creationTimestamp: TIME };
const version = given(HelmApplicationVersion, "appv-1", {
  metadata: { ...metadata, labels: { ...labels, "application.kubesphere.io/app-id": "app-1" } },
  spec: {
    name: "web",
    version: "1.0.0",
    appVersion: "7",
    created: "2026-05-04T10:00:00+02:00",
    maintainers: [{ name: "Ann" }],
    sources: ["https://git.example.com"],
  },
  status: {
    state: "submitted",
    audit: [{ state: "submitted", time: "2026-05-04T11:30:00.5Z", operator: "rita", message: "please" }],
    review: {
      phases: [{ step: "isv", state: "passed", reviewer: "ivy", time: TIME, message: "fine" }],
    } as never,
  },
});
const category = given(HelmCategory, "ctg-1", { metadata, spec: { name: "web" }, status: { total: 3 } });

it.each([
  ["2026-05-04T11:00:00Z", SHOWN],
  ["2026-05-04T13:00:00.1234567+02:00", "2026-05-04T11:00:00.123Z"],
  [undefined, NEVER],
  ["rubbish", NEVER],
])("%s is told as %s", (text, told) => {
  expect(restTime(text)).toBe(told);
});

describe("an application", () => {
  it("has its category, its latest version and what is constant", () => {
    const app = given(HelmApplication, "app-1", {
      metadata,
      spec: { name: "web", description: "d", appHome: "h", attachments: ["att-1", "att-2"] },
      status: { state: "active", statusTime: TIME, updateTime: "" },
    });
    const shown = appShape(app, { category, latest: version });
    expect(ANSWERS.App.parse(shown)).toMatchObject({
      isv: "demo",
      owner: "ann",
      home: "h",
      screenshots: "att-1,att-2",
      category_set: [{ category_id: "ctg-1", name: "web", locale: "{}", status: "enabled", create_time: SHOWN }],
      latest_app_version: { version_id: "appv-1" },
      app_version_types: "helm",
      cluster_total: 0,
      status_time: SHOWN,
      update_time: SHOWN,
    });
  });

  it("is a draft while it has no state, and has no version then", () => {
    const app = given(HelmApplication, "app-1", { spec: { name: "web" } });
    expect(ANSWERS.App.parse(appShape(app, { category: undefined, latest: undefined }))).toMatchObject({
      status: "draft",
      isv: "",
      category_set: [],
      latest_app_version: {},
      create_time: NEVER,
    });
  });

  it("comes from the workspace of the original where it is the store's copy", () => {
    const copy = given(HelmApplication, "app-1-store", {
      metadata: { labels: { "kubesphere.io/workspace-origin": "demo" } },
      spec: { name: "web" },
    });
    expect(appShape(copy, { category: undefined, latest: undefined }).isv).toBe("demo");
    expect([baseId("app-1-store"), baseId("app-1"), baseId("-store")]).toEqual(["app-1", "app-1", ""]);
  });
});

it("a version has both clocks, and lists as JSON in texts", () => {
  expect(ANSWERS.Version.parse(versionShape(version))).toMatchObject({
    name: "1.0.0 [7]",
    package_name: "web-1.0.0.tgz",
    maintainers: '[{"name":"Ann"}]',
    sources: '["https://git.example.com"]',
    create_time: SHOWN,
    status_time: "2026-05-04T11:30:00.500Z",
    update_time: "2026-05-04T08:00:00.000Z",
  });
});

it("audits and reviews say who, what and when", () => {
  const entry = version.status?.audit?.[0];
  if (!entry) throw new Error("there is no audit");
  expect(auditShape(version, "web", entry)).toMatchObject({ operator: "rita", operator_type: "", message: "please" });
  expect(ANSWERS.ReviewList.shape.items.element.parse(reviewShape(version, "web"))).toMatchObject({
    review_id: "rita",
    reviewer: "ivy",
    workspace: "demo",
    phase: { isv: { status: "passed", operator: "ivy", operator_type: "isv", message: "fine", status_time: SHOWN } },
  });
  const bare = given(HelmApplicationVersion, "appv-2", { metadata, spec: {} });
  expect(reviewShape(bare, "")).toMatchObject({ review_id: "", status: "draft", status_time: SHOWN, phase: {} });
});

it("a repository shows neither credentials nor the user in its address", () => {
  const spec = { name: "charts", url: "https://user:secret@charts.example.com/x", syncPeriod: 180 } as never;
  const syncState = [{ state: "failed", message: "no route", syncTime: TIME }];
  const repo = given(HelmRepo, "repo-1", { metadata, spec, status: { syncState } });
  expect(ANSWERS.Repo.parse(repoShape(repo))).toMatchObject({
    status: "syncing",
    url: "https://charts.example.com/x",
    credential: "{}",
    creator: "ann",
    sync_period: "180s",
    status_time: NEVER,
  });
  expect(repoEventShapes(repo)).toEqual([
    { repo_id: "repo-1", status: "failed", result: "no route", create_time: SHOWN, status_time: SHOWN },
  ]);
});

it("a category has its count", () => {
  expect(ANSWERS.Category.parse(categoryShape(category))).toMatchObject({ app_total: 3, locale: "{}" });
});

it.each([
  [{ labels: { "application.kubesphere.io/repo-id": "repo-helm" } }, "draft", true],
  [{ labels: { "application.kubesphere.io/repo-id": "builtin-charts" } }, "active", true],
  [{ labels: { "application.kubesphere.io/repo-id": "repo-1" } }, "active", false],
  [{ labels: {} }, "active", true],
  [{ labels: {} }, "suspended", true],
  [{ labels: {} }, "passed", false],
] as const)("with %o and %s, that the store offers it is %s", (over, state, offered) => {
  expect(isOffered(given(HelmApplicationVersion, "appv-1", { metadata: over, status: { state } }))).toBe(offered);
});
