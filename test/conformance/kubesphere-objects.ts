import type { KubeObject } from "../../shared/resource.ts";
import { CHART_SAMPLE } from "./chart-sample.ts";

const TIME = "2023-10-30T08:15:00Z";
const TIME_WITH_OFFSET = "2023-10-30T16:15:00+08:00";
const API = "application.kubesphere.io/v1alpha1";

/** Objects as KubeSphere 3.4 leaves them, each with every field that its kind has there. */
export const KUBESPHERE_OBJECTS: readonly KubeObject[] = [
  {
    apiVersion: API,
    kind: "HelmRepo",
    metadata: {
      name: "repo-300m50zn91nwz5",
      labels: { "kubesphere.io/workspace": "demo" },
      annotations: { "kubesphere.io/creator": "ann", "app.kubesphere.io/sync-period": "200s" },
      finalizers: ["helmrepo.application.kubesphere.io"],
    },
    spec: {
      name: "stable",
      url: "https://charts.example.org/stable",
      description: "charts of the demo team",
      syncPeriod: 200,
      version: 3,
      credential: {
        username: "reader",
        password: "secret",
        certFile: "/etc/repo/tls.crt",
        keyFile: "/etc/repo/tls.key",
        caFile: "/etc/repo/ca.crt",
        insecureSkipTLSVerify: false,
        accessKeyID: "key",
        secretAccessKey: "secret",
      },
    },
    status: {
      data: "H4sIAAAAAAAA/6tWykvMTVWyUgpKLchXqgUAAAD//w==",
      lastUpdateTime: TIME,
      state: "successful",
      version: 3,
      syncState: [
        { state: "successful", message: "", syncTime: TIME },
        { state: "failed", message: "Get index.yaml: 503", syncTime: TIME_WITH_OFFSET },
      ],
    },
  },
  {
    apiVersion: API,
    kind: "HelmApplication",
    metadata: {
      name: "app-n04mj714o54k56-store",
      labels: {
        "kubesphere.io/workspace-origin": "demo",
        "application.kubesphere.io/repo-id": "repo-helm",
        "application.kubesphere.io/app-category-id": "ctg-uncategorized",
        "application.kubesphere.io/builtin-app": "true",
      },
      annotations: { "kubesphere.io/creator": "ann", "application.kubesphere.io/app-cleanup": "done" },
      finalizers: ["helmapplication.application.kubesphere.io"],
    },
    spec: {
      name: "Redis",
      description: "An in-memory data store",
      abstraction: "Fast keys and values",
      appHome: "https://redis.example.org",
      icon: "att-300m50zn91nwz5",
      attachments: ["att-1", "att-2"],
    },
    status: { latestVersion: "1.2.3 [7.0]", state: "active", statusTime: TIME, updateTime: TIME },
  },
  {
    apiVersion: API,
    kind: "HelmApplicationVersion",
    metadata: {
      name: "appv-n04mj714o54k56",
      labels: {
        "kubesphere.io/workspace": "demo",
        "application.kubesphere.io/app-id": "app-n04mj714o54k56",
        "application.kubesphere.io/repo-id": "repo-helm",
      },
      finalizers: ["helmappversion.application.kubesphere.io"],
      ownerReferences: [
        {
          apiVersion: API,
          kind: "HelmApplication",
          name: "app-n04mj714o54k56",
          uid: "0b0c6a5e-9c39-4d0c-8f9e-1d2f3a4b5c6d",
        },
      ],
    },
    spec: {
      ...CHART_SAMPLE,
      urls: ["https://charts.example.org/redis-1.2.3.tgz"],
      digest: "ab".repeat(32),
      created: TIME,
      data: "H4sIAAAAAAAA/w==",
      dataKey: "appv-n04mj714o54k56",
    },
    status: {
      state: "passed",
      audit: [
        { message: "good", state: "passed", time: TIME, operator: "bob", operatorType: "reviewer" },
        { state: "submitted", time: TIME_WITH_OFFSET, operator: "ann" },
        { state: "draft", time: TIME, operator: "ann" },
      ],
    },
  },
  {
    apiVersion: API,
    kind: "HelmRelease",
    metadata: {
      name: "rls-n04mj714o54k56",
      namespace: "demo",
      labels: {
        "kubesphere.io/workspace": "demo",
        "kubesphere.io/cluster": "host",
        "kubesphere.io/namespace": "demo",
        "application.kubesphere.io/app-id": "app-n04mj714o54k56",
        "application.kubesphere.io/app-version-id": "appv-n04mj714o54k56",
        "application.kubesphere.io/repo-id": "repo-helm",
      },
      annotations: { "kubesphere.io/creator": "ann" },
      finalizers: ["helmrelease.application.kubesphere.io"],
    },
    spec: {
      name: "redis",
      description: "the cache",
      values: "cmVwbGljYXM6IDEK",
      chartName: "redis",
      chartVersion: "1.2.3",
      chartAppVer: "7.0",
      repoId: "repo-helm",
      appId: "app-n04mj714o54k56",
      appVerId: "appv-n04mj714o54k56",
      version: 2,
    },
    status: {
      state: "active",
      message: "",
      version: 2,
      deployStatus: [{ state: "upgraded", message: "waiting", deployTime: TIME }],
      lastUpdate: TIME,
      lastDeployed: TIME_WITH_OFFSET,
    },
  },
  {
    apiVersion: API,
    kind: "HelmCategory",
    metadata: {
      name: "ctg-uncategorized",
      annotations: { "kubesphere.io/creator": "admin" },
      finalizers: ["helmcategories.application.kubesphere.io"],
    },
    spec: { name: "uncategorized", description: "documentation", locale: '{"en":"Uncategorized"}' },
    status: { total: 4 },
  },
].map((object) => object as KubeObject);
