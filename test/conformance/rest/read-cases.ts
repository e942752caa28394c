import type { Case } from "./case.ts";

const V1 = "GET /v1";
const W = "GET /v1/workspaces/{workspace}";
const V2 = "GET /v2alpha1";
const V2W = "GET /v2alpha1/workspaces/{workspace}";
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The application of the draft, as both forms of the route show it. */
const APP = {
  app_id: "{app}",
  name: "{chart}",
  isv: "{workspace}",
  status: "draft",
  description: "the {chart}",
  category_set: [],
  latest_app_version: { version_id: "{version}", name: "1.0.0 [7]" },
  app_version_types: "helm",
  cluster_total: 0,
  create_time: TIME,
  status_time: TIME,
  update_time: TIME,
};

const VERSION = {
  version_id: "{version}",
  app_id: "{app}",
  name: "1.0.0 [7]",
  active: true,
  status: "draft",
  package_name: "{chart}-1.0.0.tgz",
  maintainers: "[]",
  sources: "[]",
  create_time: TIME,
};

const RAW_VERSION = {
  kind: "HelmApplicationVersion",
  metadata: { name: "{version}", labels: { "kubesphere.io/workspace": "{workspace}" } },
  status: { state: "draft" },
};

const missing = (route: string, param: string, text: string): Case => ({
  route,
  what: "that does not exist",
  params: { [param]: "nothing" },
  status: 404,
  text,
});
const missingObject = (route: string, param: string, plural: string): Case =>
  missing(route, param, `${plural}.application.kubesphere.io &#34;nothing&#34; not found`);

/** What can be read of applications, versions, audits, reviews, categories and repositories. */
export const READ_CASES: readonly Case[] = [
  { route: "GET /openapi.json", what: "is for everybody", as: "nobody", status: 200, json: { openapi: "3.1.1" } },
  {
    route: "GET /outcomes/{event}",
    what: "of no act",
    status: 404,
    text: /^nothing has followed from event 0+ of yours/,
  },

  { route: `${V1}/apps/{app}`, what: "one", status: 200, json: APP },
  { route: `${W}/apps/{app}`, what: "one", status: 200, json: APP },
  missingObject(`${V1}/apps/{app}`, "app", "helmapplications"),
  missingObject(`${W}/apps/{app}`, "app", "helmapplications"),
  {
    route: `${W}/apps/{app}`,
    what: "a name that HTML would take for an element",
    params: { app: "%3Cb%3E&'" },
    status: 404,
    text: "helmapplications.application.kubesphere.io &#34;&lt;b&gt;&amp;&#39;&#34; not found",
  },
  {
    route: `${W}/apps/{app}`,
    what: "a name that leads out of the collection",
    params: { app: "%2E%2E%2Fsecrets" },
    status: 400,
    text: /cannot be the name of an object$/,
  },
  {
    route: `${W}/apps/{app}`,
    what: "what the store offers, from another workspace",
    params: { app: "{activeApp}-store", workspace: "elsewhere" },
    status: 200,
    json: { app_id: "{activeApp}-store", isv: "{workspace}", status: "active" },
  },
  {
    route: `${V1}/apps`,
    what: "templates of a workspace",
    query: "conditions=workspace={workspace},keyword={run}",
    status: 200,
    json: { total_count: 7 },
  },
  { route: `${W}/apps`, what: "templates", query: "conditions=keyword={run}", status: 200, json: { total_count: 7 } },
  {
    route: `${W}/apps`,
    what: "no limit",
    query: "conditions=keyword={run}&limit=-1&orderBy=name",
    status: 200,
    json: { total_count: 7 },
  },
  {
    route: `${W}/apps`,
    what: "by state",
    query: "conditions=keyword={run},status=active|suspended",
    status: 200,
    json: { total_count: 2 },
  },
  {
    route: `${W}/apps`,
    what: "by id",
    query: "conditions=app_id={app}|{activeApp}",
    status: 200,
    json: { total_count: 2 },
  },
  {
    route: `${W}/apps`,
    what: "fuzzy terms have no effect",
    query: "conditions=keyword={run},status~active",
    status: 200,
    json: { total_count: 7 },
  },
  {
    route: `${W}/apps`,
    what: "unknown keys have no effect",
    query: "conditions=keyword={run},isv=x,zip",
    status: 200,
    json: { total_count: 7 },
  },
  {
    route: `${W}/apps`,
    what: "a key with a blank",
    query: "conditions=a%20b=c",
    status: 400,
    text: "invalid conditions",
  },
  {
    route: `${W}/apps`,
    what: "a key with a bracket",
    query: "conditions=a(=c",
    status: 400,
    text: "invalid conditions",
  },
  {
    route: `${V1}/apps`,
    what: "the store's page",
    query: "conditions=repo_id=repo-helm,keyword={run}&reverse=true",
    status: 200,
    json: { total_count: 2 },
  },
  {
    route: `${W}/apps`,
    what: "the store's page from any workspace",
    params: { workspace: "elsewhere" },
    query: "conditions=repo_id=repo-helm,keyword={run},status=active",
    status: 200,
    json: { total_count: 1, items: [{ app_id: "{activeApp}-store" }] },
  },
  {
    route: `${W}/apps`,
    what: "a repository that is not there",
    query: "conditions=repo_id=repo-nothing",
    status: 500,
    text: "load repo info failed",
  },

  { route: `${V1}/apps/{app}/versions`, what: "all", status: 200, json: { total_count: 1, items: [VERSION] } },
  { route: `${W}/apps/{app}/versions`, what: "all", status: 200, json: { total_count: 1, items: [VERSION] } },
  {
    route: `${W}/apps/{app}/versions`,
    what: "of an application that is not there",
    params: { app: "nothing" },
    status: 200,
    json: { total_count: 0, items: [] },
  },
  {
    route: `${W}/apps/{app}/versions`,
    what: "of the store's copy",
    params: { app: "{activeApp}-store", workspace: "elsewhere" },
    status: 200,
    json: { total_count: 1, items: [{ version_id: "{active}", status: "active" }] },
  },
  { route: `${V1}/apps/{app}/versions/{version}`, what: "one", status: 200, json: VERSION },
  { route: `${W}/apps/{app}/versions/{version}`, what: "one", status: 200, json: VERSION },
  missingObject(`${V1}/apps/{app}/versions/{version}`, "version", "helmapplicationversions"),
  missingObject(`${W}/apps/{app}/versions/{version}`, "version", "helmapplicationversions"),
  {
    route: `${V1}/apps/{app}/versions/{version}/package`,
    what: "in base64",
    status: 200,
    json: { app_id: "{app}", version_id: "{version}", package: /^H4sI/ },
  },
  missingObject(`${V1}/apps/{app}/versions/{version}/package`, "version", "helmapplicationversions"),

  {
    route: `${V1}/apps/{app}/audits`,
    what: "of all versions",
    status: 200,
    json: {
      total_count: 1,
      items: [{ app_name: "{chart}", status: "draft", version_type: "helm", status_time: TIME }],
    },
  },
  missingObject(`${V1}/apps/{app}/audits`, "app", "helmapplications"),
  {
    route: `${V1}/apps/{app}/versions/{version}/audits`,
    what: "newest first, however reverse says",
    params: { version: "{suspended}" },
    query: "reverse=true",
    status: 200,
    json: {
      total_count: 5,
      items: [
        { status: "suspended" },
        { status: "active" },
        { status: "passed" },
        { status: "submitted" },
        { status: "draft" },
      ],
    },
  },
  {
    route: `${W}/apps/{app}/versions/{version}/audits`,
    what: "of a draft",
    status: 200,
    json: { total_count: 1, items: [{ version_id: "{version}", app_id: "{app}" }] },
  },
  missingObject(`${V1}/apps/{app}/versions/{version}/audits`, "version", "helmapplicationversions"),

  {
    route: `${V1}/reviews`,
    what: "those that wait",
    query: "conditions=status=submitted,keyword={run}",
    status: 200,
    json: {
      total_count: 1,
      items: [
        {
          version_id: "{submitted}",
          app_name: "{run}-submitted",
          workspace: "{workspace}",
          status: "submitted",
          status_time: TIME,
        },
      ],
    },
  },
  {
    route: `${V1}/reviews`,
    what: "several states",
    query: "conditions=status=submitted|rejected,keyword={run}&reverse=true",
    status: 200,
    json: { total_count: 2 },
  },
  {
    route: `${V1}/reviews`,
    what: "a bad condition",
    query: "conditions=[x]=1",
    status: 400,
    text: "invalid conditions",
  },

  { route: `${V1}/categories`, what: "all", query: "limit=-1", status: 200, json: {} },
  missing(`${V1}/categories/{category}`, "category", "category nothing not found"),
  { route: `${V1}/repos`, what: "those of no workspace", status: 200, json: {} },
  {
    route: `${V1}/repos`,
    what: "by workspace and name",
    query: "conditions=workspace=elsewhere,keyword={run}",
    status: 200,
    json: { total_count: 0, items: [] },
  },
  { route: `${V1}/repos`, what: "a bad condition", query: "conditions=x{=1", status: 400, text: "invalid conditions" },
  {
    route: `${W}/repos`,
    what: "those of a workspace",
    params: { workspace: "elsewhere" },
    status: 200,
    json: { total_count: 0, items: [] },
  },
  missingObject(`${V1}/repos/{repo}`, "repo", "helmrepos"),
  missingObject(`${W}/repos/{repo}`, "repo", "helmrepos"),
  missingObject(`${V1}/repos/{repo}/events`, "repo", "helmrepos"),
  missingObject(`${W}/repos/{repo}/events`, "repo", "helmrepos"),

  {
    route: `${V2}/apps`,
    what: "raw",
    query: "name={run}-draft",
    status: 200,
    json: { totalItems: 1, items: [{ metadata: { name: "{app}" } }] },
  },
  {
    route: `${V2W}/apps`,
    what: "raw",
    query: "names={app},{activeApp}&sortBy=name&ascending=true",
    status: 200,
    json: { totalItems: 2 },
  },
  {
    route: `${V2W}/apps`,
    what: "a key that is not known",
    query: "zip=1",
    status: 200,
    json: { totalItems: 0, items: [] },
  },
  {
    route: `${V2}/apps/{app}`,
    what: "raw",
    status: 200,
    json: { kind: "HelmApplication", metadata: { name: "{app}" } },
  },
  {
    route: `${V2W}/apps/{app}`,
    what: "raw",
    status: 200,
    json: { kind: "HelmApplication", metadata: { name: "{app}" } },
  },
  missingObject(`${V2}/apps/{app}`, "app", "helmapplications"),
  { route: `${V2}/apps/{app}/versions`, what: "raw", status: 200, json: { totalItems: 1, items: [RAW_VERSION] } },
  {
    route: `${V2W}/apps/{app}/versions`,
    what: "raw",
    query: "status=dra&page=1&limit=5",
    status: 200,
    json: { totalItems: 1, items: [RAW_VERSION] },
  },
  { route: `${V2}/apps/{app}/versions/{version}`, what: "raw", status: 200, json: RAW_VERSION },
  { route: `${V2W}/apps/{app}/versions/{version}`, what: "raw", status: 200, json: RAW_VERSION },
  missingObject(`${V2}/apps/{app}/versions/{version}`, "version", "helmapplicationversions"),
  { route: `${V2}/categories`, what: "raw", status: 200, json: {} },
  missingObject(`${V2}/categories/{category}`, "category", "helmcategories"),
  {
    route: `${V2W}/repos`,
    what: "raw",
    params: { workspace: "elsewhere" },
    status: 200,
    json: { totalItems: 0, items: [] },
  },
  missingObject(`${V2W}/repos/{repo}`, "repo", "helmrepos"),
];
