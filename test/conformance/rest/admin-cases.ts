import type { Case } from "./case.ts";

const W = "/v1/workspaces/{workspace}";
const SUCCESS = { message: "success" };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const repo = { repo: "{source}" };
const category = { category: "{shelf}" };
const REPOS = [`${W}/repos`, "/v1/repos"] as const;

const REPO = {
  repo_id: "{source}",
  name: "{run}-charts",
  url: "{repositoryUrl}",
  credential: "{}",
  description: "some charts",
  sync_period: "24h",
  create_time: TIME,
  status_time: "0001-01-01T00:00:00.000Z",
  category_set: null,
  labels: null,
  providers: null,
  selectors: null,
};

const noSuchRepo = "helmrepos.application.kubesphere.io &#34;repo-nothing&#34; not found";

const REPO_CASES: readonly Case[] = [
  ...REPOS.flatMap((path): readonly Case[] => {
    const route = `POST ${path}`;
    const good = { name: "{run}-other", url: "{repositoryUrl}" };
    return [
      { route, what: "no JSON", body: "{", status: 400, text: /./ },
      {
        route,
        what: "only tried",
        query: "validate=true",
        body: { url: "{repositoryUrl}" },
        status: 200,
        json: { ok: true },
      },
      { route, what: "without a name", body: { url: "{repositoryUrl}" }, status: 400, text: "repo name is empty" },
      {
        route,
        what: "without an address",
        body: { name: "x" },
        status: 400,
        text: "Get &#34;/index.yaml&#34;: unsupported protocol scheme &#34;&#34;",
      },
      {
        route,
        what: "where there is nothing",
        body: { name: "x", url: "{missing}" },
        status: 400,
        text: "failed to fetch {missing}/index.yaml : 404 Not Found",
      },
      {
        route,
        what: "a period that is none",
        body: { ...good, sync_period: "soon" },
        status: 400,
        text: /invalid duration/,
      },
      {
        route,
        what: "credentials that are no JSON",
        body: { ...good, credential: "{" },
        status: 400,
        text: /credential/,
      },
    ];
  }),
  {
    route: `POST ${W}/repos`,
    what: "a name that is taken",
    body: { name: "{run}-charts", url: "{repositoryUrl}" },
    status: 500,
    text: "repo exists",
  },
  {
    route: "POST /v1/repos",
    what: "one of no workspace",
    body: { name: "{run}-global", url: "{repositoryUrl}", type: "http", visibility: "public" },
    status: 200,
    json: { repo_id: /^repo-/ },
  },
  {
    route: `GET ${W}/repos/{repo}`,
    what: "one, without its credentials",
    params: repo,
    soon: true,
    status: 200,
    json: { ...REPO, status: "successful" },
  },
  { route: "GET /v1/repos/{repo}", what: "one", params: repo, status: 200, json: REPO },
  {
    route: `GET ${W}/repos`,
    what: "by name",
    query: "conditions=keyword={run}",
    status: 200,
    json: { total_count: 1, items: [REPO] },
  },
  {
    route: "GET /v1/repos",
    what: "those of no workspace by name",
    query: "conditions=keyword={run}",
    status: 200,
    json: { total_count: 1 },
  },
  {
    route: `GET ${W}/repos/{repo}/events`,
    what: "newest first",
    params: repo,
    status: 200,
    json: { items: [{ repo_id: "{source}", status: "successful", create_time: TIME, status_time: TIME }] },
  },
  {
    route: "GET /v1/repos/{repo}/events",
    what: "of one",
    params: repo,
    query: "limit=1",
    status: 200,
    json: { items: [{ repo_id: "{source}" }] },
  },
  {
    route: `GET ${W}/apps`,
    what: "charts of a repository",
    query: "conditions=repo_id={source}",
    soon: true,
    status: 200,
    json: { total_count: 1, items: [{ name: "web", status: "active" }] },
  },
  {
    route: `GET ${W}/apps`,
    what: "charts of another workspace's repository",
    params: { workspace: "elsewhere" },
    query: "conditions=repo_id={source}",
    status: 200,
    json: { total_count: 0, items: [] },
  },
  {
    route: "GET /v2alpha1/workspaces/{workspace}/repos/{repo}",
    what: "raw",
    params: repo,
    status: 200,
    json: { kind: "HelmRepo", spec: { url: "{repositoryUrl}" } },
  },
  {
    route: `POST ${W}/repos/{repo}/action`,
    what: "now",
    params: repo,
    body: { action: "index" },
    status: 200,
    json: SUCCESS,
  },
  {
    route: "POST /v1/repos/{repo}/action",
    what: "now",
    params: repo,
    body: { action: "index" },
    status: 200,
    json: SUCCESS,
  },
  ...REPOS.flatMap((path): readonly Case[] => [
    {
      route: `PATCH ${path}/{repo}`,
      what: "that is not there",
      body: { description: "x" },
      status: 404,
      text: noSuchRepo,
    },
    {
      route: `PATCH ${path}/{repo}`,
      what: "to no name",
      params: repo,
      body: { name: "" },
      status: 400,
      text: "repo name is empty",
    },
    {
      route: `PATCH ${path}/{repo}`,
      what: "to where there is nothing",
      params: repo,
      body: { url: "{missing}", credential: '{"token":"t"}' },
      status: 400,
      text: "failed to fetch {missing}/index.yaml : 404 Not Found",
    },
    {
      route: `PATCH ${path}/{repo}`,
      what: "its description",
      params: repo,
      body: { description: "all charts" },
      status: 200,
      json: SUCCESS,
    },
    {
      route: `GET ${path}/{repo}`,
      what: "shows it",
      params: repo,
      status: 200,
      json: { description: "all charts", name: "{run}-charts" },
    },
    { route: `DELETE ${path}/{repo}`, what: "that is gone already", status: 200, json: SUCCESS },
  ]),
  {
    route: `PATCH ${W}/repos/{repo}`,
    what: "as a merge patch",
    params: repo,
    headers: { "content-type": "application/merge-patch+json" },
    body: { sync_period: "0" },
    status: 200,
    json: SUCCESS,
  },
  { route: `GET ${W}/repos/{repo}`, what: "has no period then", params: repo, status: 200, json: { sync_period: "" } },
  {
    route: `PATCH ${W}/repos/{repo}`,
    what: "from another workspace",
    params: { ...repo, workspace: "elsewhere" },
    body: {},
    status: 404,
  },
  {
    route: `DELETE ${W}/repos/{repo}`,
    what: "from another workspace",
    params: { ...repo, workspace: "elsewhere" },
    status: 404,
  },
  { route: `DELETE ${W}/repos/{repo}`, what: "one", params: repo, status: 200, json: SUCCESS },
  { route: `GET ${W}/repos/{repo}`, what: "is gone then", params: repo, soon: true, status: 404 },
];

const CATEGORY = {
  category_id: "{shelf}",
  name: "{run} shelf",
  description: "a shelf",
  app_total: 0,
  create_time: TIME,
};
const noSuchCategory = "category ctg-nothing not found";

const CATEGORY_CASES: readonly Case[] = [
  { route: "GET /v1/categories/{category}", what: "one", params: category, status: 200, json: CATEGORY },
  { route: "GET /v1/categories", what: "a page of one", query: "limit=1", status: 200, json: { items: [{}] } },
  {
    route: "GET /v2alpha1/categories/{category}",
    what: "raw",
    params: category,
    status: 200,
    json: { kind: "HelmCategory" },
  },
  {
    route: "POST /v1/categories",
    what: "a name that is taken",
    body: { name: "{run} shelf" },
    status: 500,
    text: "category {run} shelf exists",
  },
  { route: "POST /v1/categories", what: "without a name", body: {}, status: 400, text: /name/ },
  {
    route: "POST /v1/categories",
    what: "another one",
    body: { name: "{run} rack", icon: "x", locale: "{}" },
    status: 200,
    json: { category_id: /^ctg-/ },
  },
  {
    route: "PATCH /v1/categories/{category}",
    what: "that is not there",
    body: { name: "x" },
    status: 404,
    text: noSuchCategory,
  },
  {
    route: "PATCH /v1/categories/{category}",
    what: "to a name that is taken",
    params: category,
    body: { name: "{run} rack" },
    status: 500,
    text: "category {run} rack exists",
  },
  {
    route: "PATCH /v1/categories/{category}",
    what: "its description",
    params: category,
    body: { description: "a long shelf" },
    status: 200,
    json: SUCCESS,
  },
  {
    route: "GET /v1/categories/{category}",
    what: "shows it",
    params: category,
    status: 200,
    json: { name: "{run} shelf", description: "a long shelf" },
  },
  {
    route: `PATCH ${W}/apps/{app}`,
    what: "puts it on the shelf",
    params: { app: "{activeApp}-store" },
    body: { category_id: "{shelf}" },
    status: 200,
    json: SUCCESS,
  },
  {
    route: "GET /v1/categories/{category}",
    what: "counts it",
    params: category,
    soon: true,
    status: 200,
    json: { app_total: 1 },
  },
  {
    route: "GET /v1/apps",
    what: "of a category",
    query: "conditions=repo_id=repo-helm,category_id={shelf}",
    status: 200,
    json: {
      total_count: 1,
      items: [
        {
          app_id: "{activeApp}-store",
          category_set: [
            { category_id: "{shelf}", name: "{run} shelf", locale: "{}", status: "enabled", create_time: TIME },
          ],
        },
      ],
    },
  },
  {
    route: "DELETE /v1/categories/{category}",
    what: "that is not empty",
    params: category,
    status: 500,
    text: "category {run} shelf owns application",
  },
  {
    route: "PATCH /v1/apps/{app}",
    what: "takes it from the shelf",
    params: { app: "{activeApp}-store" },
    body: { category_id: "" },
    status: 200,
    json: SUCCESS,
  },
  {
    route: "GET /v1/categories/{category}",
    what: "counts it no more",
    params: category,
    soon: true,
    status: 200,
    json: { app_total: 0 },
  },
  { route: "DELETE /v1/categories/{category}", what: "an empty one", params: category, status: 200, json: SUCCESS },
  { route: "DELETE /v1/categories/{category}", what: "that is gone already", status: 200, json: SUCCESS },
];

/** A picture by its first bytes, made of letters alone. */
const GIF = "GIF89a0000";
const BASE64 = Buffer.from(GIF).toString("base64");
const form = (content: string) => ({
  headers: { "content-type": "multipart/form-data; boundary=b" },
  body: `--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n${content}\r\n--b--\r\n`,
});

const APP_CASES: readonly Case[] = [
  ...[`PATCH ${W}/apps/{app}`, "PATCH /v1/apps/{app}"].flatMap((route): readonly Case[] => [
    {
      route,
      what: "that is not there",
      params: { app: "nothing" },
      body: { name: "x" },
      status: 404,
      text: /&#34;nothing&#34; not found$/,
    },
    { route, what: "no JSON", body: "[", status: 400, text: /./ },
    {
      route,
      what: "a picture that is none",
      body: { type: "icon", attachment_content: "aGVsbG8=" },
      status: 400,
      text: /no PNG/,
    },
    {
      route,
      what: "a picture that is no base64",
      body: { type: "icon", attachment_content: "%" },
      status: 400,
      text: /no base64$/,
    },
    {
      route,
      what: "what is neither icon nor screenshot",
      body: { type: "film" },
      status: 400,
      text: /neither icon nor screenshot/,
    },
    {
      route,
      what: "a screenshot out of nowhere",
      body: { type: "screenshot", sequence: 6 },
      status: 400,
      text: /from 0 to 5/,
    },
  ]),
  {
    route: `PATCH ${W}/apps/{app}`,
    what: "from another workspace",
    params: { workspace: "elsewhere" },
    body: { name: "x" },
    status: 404,
  },
  {
    route: `PATCH ${W}/apps/{app}`,
    what: "its texts",
    body: { description: "<b>", abstraction: "short", home: "https://home.example", keywords: "ignored" },
    status: 200,
    json: SUCCESS,
  },
  {
    route: `PATCH ${W}/apps/{app}`,
    what: "its icon",
    body: { type: "icon", attachment_content: BASE64 },
    status: 200,
    json: SUCCESS,
  },
  {
    route: "PATCH /v1/apps/{app}",
    what: "a screenshot",
    body: { type: "screenshot", attachment_content: BASE64 },
    status: 200,
    json: SUCCESS,
  },
  {
    route: `GET ${W}/apps/{app}`,
    what: "shows all that",
    status: 200,
    json: {
      description: "<b>",
      abstraction: "short",
      home: "https://home.example",
      icon: /^att-/,
      screenshots: /^att-/,
      name: "{chart}",
    },
  },
  {
    route: `PATCH ${W}/apps/{app}`,
    what: "no screenshot any more",
    body: { type: "screenshot", sequence: 0 },
    status: 200,
    json: SUCCESS,
  },
  { route: `GET ${W}/apps/{app}`, what: "has none then", status: 200, json: { screenshots: "" } },
];

const ATTACHMENT_CASES: readonly Case[] = [
  { route: "POST /v1/attachments", what: "a picture", ...form(GIF), status: 200, json: { attachment_id: /^att-/ } },
  { route: "POST /v1/attachments", what: "what is no picture", ...form("<svg/>"), status: 400, text: /no PNG/ },
  {
    route: "POST /v1/attachments",
    what: "what is no form",
    body: {},
    status: 400,
    text: "request Content-Type isn&#39;t multipart/form-data",
  },
  {
    route: "GET /v1/attachments/{attachment}",
    what: "in JSON",
    params: { attachment: "{picture}" },
    status: 200,
    json: { attachment_id: "{picture}", attachment_content: { raw: /^R0lGODlh/ } },
  },
  {
    route: "GET /v1/attachments/{attachment}",
    what: "raw",
    params: { attachment: "{picture}" },
    query: "filename=raw",
    status: 200,
    type: "image/gif",
  },
  {
    route: "GET /v1/attachments/{attachment}",
    what: "that is not there",
    status: 404,
    text: "attachment att-nothing not found",
  },
  {
    route: "DELETE /v1/attachments/{attachment}",
    what: "several at once",
    params: { attachment: "{picture},att-nothing" },
    status: 200,
    type: "",
  },
  {
    route: "GET /v1/attachments/{attachment}",
    what: "is gone then",
    params: { attachment: "{picture}" },
    soon: true,
    status: 404,
  },
];

/** Administration of repositories, categories, applications and pictures, in this order. */
export const ADMIN_CASES: readonly Case[] = [...REPO_CASES, ...CATEGORY_CASES, ...APP_CASES, ...ATTACHMENT_CASES];
