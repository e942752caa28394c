import { expect, test } from "vitest";
import { given, NOW } from "../../test/support/objects.ts";
import { HelmApplication } from "../resources/helm-application.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { HelmRepo } from "../resources/helm-repo.ts";
import { appStatistics } from "./statistics.ts";

const REPO = "application.kubesphere.io/repo-id";
const APP = "application.kubesphere.io/app-id";

function app(name: string, creationTimestamp: string, labels = {}) {
  return given(HelmApplication, name, { metadata: { creationTimestamp, labels }, spec: { name } });
}

function active(made: HelmApplication): HelmApplication {
  return {
    ...made,
    status: { state: "active", statusTime: "2026-05-04T00:00:00Z", updateTime: "2026-05-04T00:00:00Z" },
  };
}

test("nothing is counted as nothing, and every day is there", () => {
  const counted = appStatistics({ apps: [], versions: [], repos: [], now: NOW });
  expect(counted).toMatchObject({
    app_count: 0,
    repo_count: 0,
    version_count: 0,
    apps_by_state: {},
    top_ten_repos: {},
  });
  expect(Object.keys(counted.last_two_week_created)).toHaveLength(14);
  expect(Object.keys(counted.last_two_week_created).at(0)).toBe("2026-04-21");
  expect(Object.keys(counted.last_two_week_created).at(-1)).toBe("2026-05-04");
});

test("applications, versions and repositories are counted by state, day and origin", () => {
  const apps = [
    active(app("app-1", "2026-05-04T00:00:00Z", {})),
    active(app("app-1-store", "2026-05-04T01:00:00Z", { [REPO]: "repo-helm" })),
    app("app-2", "2026-05-03T23:59:59Z"),
    active(app("app-3", "2026-04-20T12:00:00Z", { [REPO]: "repo-1" })),
    active(app("app-4", "2026-04-21T12:00:00Z", { [REPO]: "repo-1" })),
    { ...app("app-5", "2026-05-04T00:00:00Z"), metadata: { name: "app-5", deletionTimestamp: "2026-05-04T00:00:00Z" } },
  ];
  const version = (name: string, labels: Record<string, string>, status = {}) =>
    given(HelmApplicationVersion, name, { metadata: { labels }, spec: {}, ...status });
  const versions = [
    version("v1", { [APP]: "app-1" }, { status: { state: "active" } }),
    version("v2", { [APP]: "app-1" }),
    version("v3", { [APP]: "app-3", [REPO]: "repo-1" }),
  ];
  const repos = [given(HelmRepo, "repo-1"), given(HelmRepo, "repo-2", { metadata: { deletionTimestamp: "x" } })];
  expect(appStatistics({ apps, versions, repos, now: NOW })).toMatchObject({
    app_count: 4,
    repo_count: 1,
    version_count: 3,
    apps_by_state: { active: 3, draft: 1 },
    versions_by_state: { active: 2, draft: 1 },
    last_two_week_created: { "2026-05-04": 1, "2026-05-03": 1, "2026-05-02": 0, "2026-04-21": 1 },
    top_ten_repos: { "repo-1": 2 },
    top_ten_apps: { "app-1": 2, "app-3": 1 },
  });
});

test("the ten largest, the largest first", () => {
  const apps = Array.from({ length: 15 }, (_, at) =>
    Array.from({ length: at + 1 }, (__, each) =>
      app(`app-${at}-${each}`, "2026-01-01T00:00:00Z", { [REPO]: `repo-${at}` }),
    ),
  ).flat();
  const { top_ten_repos } = appStatistics({ apps, versions: [], repos: [], now: NOW });
  expect(Object.entries(top_ten_repos)).toHaveLength(10);
  expect(Object.entries(top_ten_repos)[0]).toEqual(["repo-14", 15]);
});
