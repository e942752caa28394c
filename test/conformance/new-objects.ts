import type { KubeObject } from "../../shared/resource.ts";
import { CHART_SAMPLE } from "./chart-sample.ts";

const TIME = "2026-05-04T12:00:00Z";
const API = "application.kubesphere.io/v1alpha1";
const DIGEST = `sha256:${"ab".repeat(32)}`;

const conditions = [
  {
    type: "Ready",
    status: "True",
    reason: "Done",
    message: "everything is as it should be",
    lastTransitionTime: TIME,
    observedGeneration: 1,
  },
];
const observed = { conditions, observedGeneration: 1 };

const VERIFICATION = {
  digest: DIGEST,
  time: TIME,
  mark: DIGEST,
  evidence: [{ method: "provenance", signer: "AB12", identity: "Ann <ann@example.com>", signedTime: TIME }],
};

/** Objects that together use every field that KubeSphere 3.4 does not have. */
export const NEW_OBJECTS: readonly KubeObject[] = [
  {
    apiVersion: API,
    kind: "HelmRepo",
    metadata: { name: "repo-new" },
    spec: {
      name: "stable",
      url: "https://charts.example.org/stable",
      type: "http",
      secretRef: { name: "stable", namespace: "openpitrix" },
      runtimeSelector: { matchLabels: { env: "test" } },
      visibility: "workspace",
      verify: {
        policy: "require",
        provenance: { secretRef: { name: "vendors" } },
        cosign: { secretRef: { name: "vendors" } },
      },
      versionHistoryLimit: 20,
    },
    status: {
      ...observed,
      totalCharts: 11,
      totalChartVersions: 1628,
      droppedEntries: 1,
      problems: [{ chart: "redis", version: "1.2", reason: "BadVersion", message: "1.2 is no version; write 1.2.0" }],
      etag: '"5f3c"',
      lastModified: "Mon, 04 May 2026 12:00:00 GMT",
      indexDigest: DIGEST,
      previousIndexDigest: DIGEST,
      lastSyncEvent: "9f86d081884c7d659a2feaa0c55ad015",
      lastSuccessfulTime: TIME,
      nextSyncTime: TIME,
      notModifiedCount: 3,
      lastHandledRequest: TIME,
    },
  },
  {
    apiVersion: API,
    kind: "HelmApplication",
    metadata: { name: "app-new" },
    spec: { name: "Redis" },
    status: { ...observed, statusTime: TIME, updateTime: TIME },
  },
  {
    apiVersion: API,
    kind: "HelmApplicationVersion",
    metadata: { name: "appv-new" },
    spec: { name: "redis", version: "1.2.3", package: `pkg-${"ab".repeat(16)}` },
    status: {
      ...observed,
      state: "submitted",
      audit: [{ state: "submitted", from: "draft", time: TIME, event: "e1" }],
      verification: VERIFICATION,
    },
  },
  {
    apiVersion: API,
    kind: "HelmPackage",
    metadata: { name: `pkg-${"ab".repeat(16)}` },
    spec: {
      digest: DIGEST,
      size: 4711,
      filename: "redis-1.2.3.tgz",
      ...CHART_SAMPLE,
    },
    status: { ...observed, files: 12, warnings: ["no icon"], checkedTime: TIME },
  },
  {
    apiVersion: API,
    kind: "HelmRequest",
    metadata: { name: "req-web" },
    spec: {
      name: "web",
      description: "the shop",
      appId: "app-new",
      appVerId: "appv-new",
      values: "cmVwbGljYXM6IDEK",
      namespace: "demo",
      engine: "helm",
      creator: "ann",
    },
    status: {
      ...observed,
      state: "Accepted",
      message: "installed as rls-web",
      release: { namespace: "demo", name: "rls-web" },
    },
  },
  {
    apiVersion: API,
    kind: "HelmRequest",
    metadata: { name: "req-anywhere" },
    spec: { name: "web", appVerId: "appv-new", selector: { matchLabels: { env: "test" } } },
    status: { state: "NeedsChoice", candidates: ["demo", "test"] },
  },
  {
    apiVersion: API,
    kind: "HelmRelease",
    metadata: { name: "rls-web", namespace: "demo" },
    spec: { name: "web", chartName: "web", chartVersion: "1.0.0", version: 1, engine: "helm", package: "pkg-x" },
    status: {
      ...observed,
      state: "created",
      revision: 1,
      mark: DIGEST,
      packageDigest: DIGEST,
      verification: VERIFICATION,
      checks: 2,
    },
  },
  {
    apiVersion: API,
    kind: "HelmCategory",
    metadata: { name: "ctg-new" },
    spec: { name: "databases" },
    status: { ...observed, total: 0 },
  },
].map((object) => object as KubeObject);
