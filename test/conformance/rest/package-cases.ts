import { type Case, chart } from "./case.ts";

const V = "/apps/{app}/versions/{version}";
const FILES = `GET /v1${V}/files`;
const PATCH = `PATCH /v1/workspaces/{workspace}${V}`;
const SHOWN = `GET /v1/workspaces/{workspace}${V}`;
const SUCCESS = { message: "success" };
const absent = { version: "appv-nothing" };
const notFound = "helmapplicationversions.application.kubesphere.io &#34;appv-nothing&#34; not found";

/** Files of packages, and packages that take the place of others, in this order; at the end all is as it was. */
export const PACKAGE_CASES: readonly Case[] = [
  {
    route: FILES,
    what: "all",
    status: 200,
    json: { version_id: "{version}", files: { "Chart.yaml": /^YXBpVmVyc2lvbjog/ } },
  },
  { route: FILES, what: "one", query: "files=Chart.yaml", status: 200, json: { files: { "Chart.yaml": /=*$/ } } },
  {
    route: FILES,
    what: "one that is not there",
    query: "files=Chart.yaml,values.yaml",
    status: 404,
    text: "the package of {version} holds no file values.yaml",
  },
  { route: FILES, what: "of nothing", params: absent, status: 404, text: notFound },

  { route: PATCH, what: "of nothing", params: absent, body: {}, status: 404, text: notFound },
  { route: PATCH, what: "no JSON", body: "{", status: 400, text: /./ },
  { route: PATCH, what: "what is no base64", body: { package: "%" }, status: 400, text: "package is no base64" },
  { route: PATCH, what: "nothing", body: {}, status: 200, json: SUCCESS },
  {
    route: PATCH,
    what: "a package of another chart",
    body: { package: chart("other", "1.0.0") },
    status: 500,
    text: /^chart name not match, /,
  },
  {
    route: PATCH,
    what: "a package that is none",
    body: { package: "aGVsbG8=" },
    status: 400,
    text: /no gzip file/,
  },
  {
    route: PATCH,
    what: "a package of what is active",
    params: { app: "{activeApp}", version: "{active}" },
    body: { package: chart("{run}-active", "1.0.1") },
    status: 500,
    text: "action not permitted",
  },
  {
    route: PATCH,
    what: "a package with the number of another version",
    params: { app: "{listedApp}", version: "{listed}" },
    body: { package: chart("{run}-listed", "0.2.0") },
    status: 500,
    text: /^application version exists/,
  },
  {
    route: PATCH,
    what: "another package",
    body: { package: chart("{chart}", "1.0.1", "home: https://example.org\n") },
    status: 200,
    json: SUCCESS,
  },
  {
    route: SHOWN,
    what: "has it then",
    soon: true,
    status: 200,
    json: { name: "1.0.1 [7]", home: "https://example.org", package_name: "{chart}-1.0.1.tgz", status: "draft" },
  },
  {
    route: `PATCH /v1${V}`,
    what: "the first package, and words",
    body: { package: chart("{chart}", "1.0.0", "description: the {chart}\n"), description: "again" },
    status: 200,
    json: SUCCESS,
  },
  { route: SHOWN, what: "has both then", soon: true, status: 200, json: { name: "1.0.0 [7]", description: "again" } },
];

/** What is found in the store, and counted. */
export const CATALOG_CASES: readonly Case[] = [
  {
    route: "GET /search",
    what: "by the name of what is released",
    query: "q={run}-ACTIVE",
    soon: true,
    status: 200,
    json: { total_count: 1, items: [{ name: "{run}-active" }], facets: { categories: [{ count: 1 }] } },
  },
  { route: "GET /search", what: "what is nowhere", query: "q={run}+nowhere", status: 200, json: { total_count: 0 } },
  { route: "GET /statistics", what: "of everything", status: 200, json: {} },
];
