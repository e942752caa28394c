import { expect, it } from "vitest";
import { ResourceResyncTick } from "../../shared/events/resource.ts";
import { draftEntry } from "../../shared/lifecycle/audit.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { given, happened, LONG_AGO, writesOf } from "../../test/support/objects.ts";
import subject from "./function.ts";

const NOTHING = { repos: [], apps: [], versions: [], shelves: [] };
const times = { statusTime: LONG_AGO, updateTime: LONG_AGO };
const decide = (world: Partial<Parameters<typeof subject.decide>[0]>) =>
  subject.decide({ ...NOTHING, ...world }, happened(ResourceResyncTick, {}));

it("announces deletions again that wait for the store, and no others", () => {
  const going = (finalizer: string) => ({ deletionTimestamp: LONG_AGO, finalizers: [`${finalizer}.kubesphere.io`] });
  const decision = decide({
    repos: [
      given(HelmRepo, "repo-1", { metadata: going("helmrepo.application") }),
      given(HelmRepo, "repo-2", { metadata: going("else.example") }),
      given(HelmRepo, "repo-3", { metadata: { finalizers: ["helmrepo.application.kubesphere.io"] } }),
    ],
    versions: [given(HelmApplicationVersion, "appv-1", { metadata: going("helmappversion.application") })],
  });
  expect(decision.announce?.map(({ data }) => data)).toEqual([
    { change: "update", kind: "HelmRepo", name: "repo-1" },
    { change: "update", kind: "HelmApplicationVersion", name: "appv-1" },
  ]);
});

it("tells again what happened to a version of an application that does not follow from its versions", () => {
  const version = given(HelmApplicationVersion, "appv-1", {
    metadata: { labels: { "application.kubesphere.io/app-id": "app-1" } },
    spec: { version: "1.0.0" },
    status: { state: "active", audit: [draftEntry({ name: "appv-1", time: LONG_AGO, event: "made" })] },
  });
  const stale = given(HelmApplication, "app-1", { spec: { name: "web" }, status: { state: "draft", ...times } });
  const decision = decide({ apps: [stale], versions: [version] });
  expect(decision.announce).toMatchObject([
    { type: "io.openpitrix.version.state.changed", data: { version: "appv-1", audit: { sequence: 1 } } },
  ]);
  const moved = { ...version, status: { state: "active" as const } };
  const [told] = decide({ apps: [stale], versions: [moved] }).announce ?? [];
  expect(told?.data).toEqual({ version: "appv-1", app: "app-1", from: "active", to: "active" });
  const status = { state: "active" as const, latestVersion: "1.0.0", ...times };
  const right = given(HelmApplication, "app-1", { spec: { name: "web" }, status });
  expect(decide({ apps: [right], versions: [version] }).announce, "its copy is missing").toHaveLength(1);
  const labels = { "application.kubesphere.io/repo-id": "repo-helm" };
  const copy = given(HelmApplication, "app-1-store", { metadata: { labels }, spec: { name: "web" }, status });
  expect(decide({ apps: [right, copy], versions: [version] }).announce).toEqual([]);
});

it("counts categories whose count is wrong, and is silent about the others", () => {
  const category = given(HelmCategory, "ctg-1", { spec: { name: "Web" }, status: { total: 3 } });
  const decision = decide({ shelves: [{ id: "ctg-1", category, copies: [] }] });
  expect(writesOf(decision)).toEqual(["replaceStatus helmcategories/ctg-1"]);
  expect(decision.announce).toMatchObject([{ data: { category: "ctg-1", total: 0 } }]);
  const [write] = decision.write ?? [];
  const again = decide({ shelves: [{ id: "ctg-1", category: write?.object as HelmCategory, copies: [] }] });
  expect([writesOf(again), again.announce]).toEqual([[], []]);
});
