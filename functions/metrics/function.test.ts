import { expect, test } from "vitest";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { given, LONG_AGO, NOW } from "../../test/support/objects.ts";
import { exposition } from "./exposition.ts";
import { repoMetrics } from "./repo-metrics.ts";

const spec = { name: "charts", url: "https://ann:pw@charts.example.com" };
const synced = given(HelmRepo, "repo-1", {
  metadata: { labels: { "kubesphere.io/workspace": "demo" } },
  spec,
  status: {
    conditions: [{ type: "Ready", status: "True", reason: "Synced", message: "", lastTransitionTime: LONG_AGO }],
    totalCharts: 11,
    totalChartVersions: 1628,
    droppedEntries: 0,
    lastSuccessfulTime: LONG_AGO,
    nextSyncTime: NOW.toISOString(),
    statistics: { syncs: 7, failures: 2, notModified: 5, unchanged: 6, bytes: 4711, bytesSaved: 9000, durationMs: 250 },
  },
});

test("a repository's counters and gauges are those of its status", () => {
  const lines = exposition(repoMetrics([synced], NOW)).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "# HELP openpitrix_repo_syncs_total Syncs by how they ended.",
      "# TYPE openpitrix_repo_syncs_total counter",
      'openpitrix_repo_info{repo="repo-1",workspace="demo",type="http"} 1',
      'openpitrix_repo_syncs_total{repo="repo-1",result="success"} 7',
      'openpitrix_repo_syncs_total{repo="repo-1",result="failure"} 2',
      'openpitrix_repo_not_modified_total{repo="repo-1"} 5',
      'openpitrix_repo_read_bytes_total{repo="repo-1"} 4711',
      'openpitrix_repo_saved_bytes_total{repo="repo-1"} 9000',
      'openpitrix_repo_chart_versions{repo="repo-1"} 1628',
      'openpitrix_repo_last_sync_duration_seconds{repo="repo-1"} 0.25',
      'openpitrix_repo_staleness_seconds{repo="repo-1"} 3600',
      'openpitrix_repo_ready{repo="repo-1"} 1',
      `openpitrix_repo_next_sync_timestamp_seconds{repo="repo-1"} ${NOW.getTime() / 1000}`,
    ]),
  );
  expect(lines.join("\n")).not.toContain("pw@");
});

test("every metric is announced once, before its samples, and all names are of one form", () => {
  const text = exposition(repoMetrics([synced, given(HelmRepo, "repo-2", { spec })], NOW));
  const announced = [...text.matchAll(/^# TYPE (\S+) (counter|gauge)$/gm)].map(([, name, type]) => [name ?? "", type]);
  expect(new Set(announced.map(([name = ""]) => name.replace(/_total$/, ""))).size).toBe(announced.length);
  for (const [name = "", type] of announced) {
    expect(name).toMatch(/^openpitrix_repo_[a-z_]+$/);
    expect(name.endsWith("_total")).toBe(type === "counter");
  }
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  for (const line of samples) expect(line).toMatch(/^[a-z_]+\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\} -?\d+(\.\d+)?$/);
});

test("what is not known is left out, and nothing is said where there are no repositories", () => {
  const text = exposition(repoMetrics([given(HelmRepo, "repo-2", { spec })], NOW));
  expect(text).toContain('openpitrix_repo_ready{repo="repo-2"} 0');
  expect(text).not.toContain("staleness");
  expect(exposition(repoMetrics([], NOW))).toBe("");
});

test("label values are escaped", () => {
  const samples = [{ labels: { a: 'x"\\\n' }, value: 1.5 }];
  expect(exposition([{ name: "m", type: "gauge", help: "M.", samples }])).toBe(
    '# HELP m M.\n# TYPE m gauge\nm{a="x\\"\\\\\\n"} 1.5\n',
  );
});
