import { type Case, chart } from "./case.ts";
import { WALKS } from "./fixture.ts";

type State = keyof typeof WALKS;

/** States that each action is legal from (KubeSphere §2.2, the strict table). */
const LEGAL: Readonly<Record<string, readonly State[]>> = {
  submit: ["draft", "rejected"],
  cancel: ["submitted", "passed"],
  pass: ["submitted"],
  reject: ["submitted"],
  release: ["passed"],
  suspend: ["active"],
  recover: ["suspended"],
};

const STATES = Object.keys(WALKS) as State[];
const W = "/v1/workspaces/{workspace}";
const ACTION = "/apps/{app}/versions/{version}/action";

/** Every action from every state that it is not legal from: nothing moves, and the answer says what would be needed. */
const ILLEGAL: readonly Case[] = Object.entries(LEGAL).flatMap(([action, legal]) =>
  STATES.filter((state) => !legal.includes(state)).map(
    (state): Case => ({
      route: `POST ${W}${ACTION}`,
      what: `${action} while ${state}`,
      params: { app: `{${state}App}`, version: `{${state}}` },
      body: { action },
      status: 400,
      text: `app_version_incorrect_status: version {${state}} is ${state}; ${action} needs ${legal.join(" or ")}`,
    }),
  ),
);

const SUCCESS = { message: "success" };
const SMALL = { version_package: chart("small", "1.0.0") };
const bodies = (route: string): readonly Case[] => [
  { route, what: "no JSON", body: "{", status: 400, text: /./ },
  { route, what: "JSON that is no object", body: "[]", status: 400, text: "the body is no JSON object" },
];
const packages = (route: string, field: string): readonly Case[] => [
  ...bodies(route),
  { route, what: "without a package", body: {}, status: 400, text: `${field} is missing: send the package in base64` },
  { route, what: "what is no base64", body: { [field]: "%%%" }, status: 400, text: `${field} is no base64` },
  { route, what: "a field of another type", body: { [field]: 7 }, status: 400, text: `field ${field} is no text` },
  {
    route,
    what: "only checked",
    query: "validate=true",
    body: { [field]: chart("checked", "3.0.0", "description: d\nhome: https://h.example\nicon: https://i.example\n") },
    status: 200,
    json: {
      name: "checked",
      version_name: "3.0.0 [7]",
      description: "d",
      url: "https://h.example",
      icon: "https://i.example",
    },
  },
  {
    route,
    what: "only checked, and bad",
    query: "validate=true",
    body: { [field]: "AAAA" },
    status: 200,
    json: { error: /./ },
  },
];

/** What changes nothing: refusals, and answers to those who only ask whether they could. */
export const REFUSED_CASES: readonly Case[] = [
  ...ILLEGAL,
  ...[`POST ${W}${ACTION}`, `POST /v1${ACTION}`].flatMap((route): readonly Case[] => [
    ...bodies(route),
    { route, what: "an unknown action", body: { action: "fly" }, status: 500, text: "action not support" },
    { route, what: "no action", body: {}, status: 500, text: "action not support" },
    {
      route,
      what: "no such version",
      params: { version: "nothing" },
      body: { action: "submit" },
      status: 404,
      text: /&#34;nothing&#34; not found$/,
    },
    { route, what: "an unknown step", body: { action: "pass", step: "x" }, status: 400, text: /^step x is none of / },
    {
      route,
      what: "words without end",
      body: { action: "submit", message: "x".repeat(2000) },
      status: 400,
      text: /1024/,
    },
    {
      route,
      what: "a body without end",
      body: { action: "submit", message: "x".repeat(70_000) },
      status: 413,
      text: /more than 65536 bytes/,
    },
  ]),
  {
    route: `POST ${W}${ACTION}`,
    what: "from another workspace",
    params: { workspace: "elsewhere" },
    body: { action: "submit" },
    status: 404,
    text: /not found$/,
  },
  ...[`POST ${W}/apps/{app}/action`, "POST /v1/apps/{app}/action"].flatMap((route): readonly Case[] => [
    { route, what: "an unknown action", body: { action: "fly" }, status: 500, text: "action not support" },
    {
      route,
      what: "nothing to suspend",
      body: { action: "suspend" },
      status: 400,
      text: /^app_version_incorrect_status: application \{app\} has no version that is active/,
    },
    {
      route,
      what: "no such application",
      params: { app: "nothing" },
      body: { action: "suspend" },
      status: 404,
      text: /not found$/,
    },
  ]),
  ...packages(`POST ${W}/apps`, "version_package"),
  ...packages(`POST ${W}/apps/{app}/versions`, "package"),
  ...packages("POST /v1/apps/{app}/versions", "package"),
  {
    route: "POST /v1/apps",
    what: "for no workspace",
    body: SMALL,
    status: 400,
    text: "say in the path which workspace the application is for",
  },
  {
    route: `POST ${W}/apps`,
    what: "for what can be no workspace",
    params: { workspace: "a%20b" },
    body: SMALL,
    status: 400,
    text: /workspace/,
  },
  {
    route: `POST ${W}/apps/{app}/versions`,
    what: "from another workspace",
    params: { workspace: "elsewhere" },
    body: { package: chart("small", "1.0.0") },
    status: 404,
  },
  {
    route: `POST ${W}/apps/{app}/versions`,
    what: "the same version with other bytes",
    body: { package: chart("{chart}", "1.0.0", "home: https://other.example\n") },
    status: 500,
    text: /^application version exists: /,
  },
  {
    route: `DELETE ${W}/apps/{app}`,
    what: "with versions",
    status: 500,
    text: "app {app} has some versions not deleted",
  },
  {
    route: "DELETE /v1/apps/{app}",
    what: "with versions, by the store's id",
    params: { app: "{activeApp}-store" },
    status: 500,
    text: "app {activeApp} has some versions not deleted",
  },
  { route: `DELETE ${W}/apps/{app}`, what: "from another workspace", params: { workspace: "elsewhere" }, status: 404 },
  {
    route: `DELETE ${W}/apps/{app}`,
    what: "that is gone already",
    params: { app: "nothing" },
    status: 200,
    json: SUCCESS,
  },
  {
    route: "DELETE /v1/apps/{app}",
    what: "that is gone already",
    params: { app: "nothing" },
    status: 200,
    json: SUCCESS,
  },
  ...[`DELETE ${W}/apps/{app}/versions/{version}`, "DELETE /v1/apps/{app}/versions/{version}"].flatMap(
    (route): readonly Case[] => [
      { route, what: "that is gone already", params: { version: "nothing" }, status: 200, json: SUCCESS },
      {
        route,
        what: "that is in the store",
        params: { version: "{active}" },
        status: 400,
        text: /^app_version_incorrect_status: version \{active\} is active; delete needs /,
      },
      {
        route,
        what: "that waits for its review",
        params: { version: "{submitted}" },
        status: 400,
        text: /is submitted; delete needs /,
      },
    ],
  ),
  {
    route: `DELETE ${W}/apps/{app}/versions/{version}`,
    what: "from another workspace",
    params: { workspace: "elsewhere" },
    status: 404,
  },
  ...["POST /v1/repos/{repo}/action", `POST ${W}/repos/{repo}/action`].flatMap((route): readonly Case[] => [
    {
      route,
      what: "that is not there",
      body: { action: "index" },
      status: 404,
      text: /&#34;repo-nothing&#34; not found$/,
    },
    { route, what: "a body without end", body: { action: "x".repeat(70_000) }, status: 413 },
  ]),
];

const moves = (route: string, steps: readonly (readonly [action: string, state: string])[]): readonly Case[] =>
  steps.flatMap(([action, state]): readonly Case[] => [
    {
      route: `POST ${route}/action`,
      what: `${action}s`,
      body: { action, message: `<${action}>` },
      status: 200,
      json: SUCCESS,
    },
    { route: `GET ${route}`, what: `is ${state} then`, status: 200, json: { status: state } },
  ]);
const V = "/apps/{app}/versions/{version}";

/** What is done, in this order: a draft through its whole life by both forms of the routes, and away. */
export const DONE_CASES: readonly Case[] = [
  ...moves(`/v1${V}`, [
    ["submit", "submitted"],
    ["cancel", "draft"],
    ["submit", "submitted"],
    ["reject", "rejected"],
  ]),
  ...moves(
    `${W}${V}`,
    [
      ["submit", "submitted"],
      ["pass", "passed"],
      ["cancel", "draft"],
      ["submit", "submitted"],
      ["pass", "passed"],
      ["release", "active"],
    ].map(([a = "", s = ""]) => [a, s] as const),
  ),
  { route: `GET ${W}/apps/{app}`, what: "is active with it", soon: true, status: 200, json: { status: "active" } },
  {
    route: `POST ${W}/apps/{app}/action`,
    what: "suspends all",
    params: { app: "{app}-store" },
    body: { action: "suspend" },
    status: 200,
    json: SUCCESS,
  },
  { route: `GET ${W}${V}`, what: "is suspended with it", soon: true, status: 200, json: { status: "suspended" } },
  {
    route: "POST /v1/apps/{app}/action",
    what: "recovers all",
    body: { action: "recover" },
    status: 200,
    json: SUCCESS,
  },
  ...moves(`/v1${V}`, [["suspend", "suspended"]]),
  {
    route: `POST ${W}/apps/{app}/versions`,
    what: "another version",
    body: { package: chart("{chart}", "1.1.0") },
    status: 200,
    json: { version_id: /^appv-/ },
  },
  {
    route: "POST /v1/apps/{app}/versions",
    what: "a third one",
    body: { package: chart("{chart}", "1.2.0") },
    status: 200,
    json: { version_id: /^appv-/ },
  },
  { route: `DELETE ${W}${V}`, what: "one that is suspended", status: 200, json: SUCCESS },
  { route: `GET ${W}${V}`, what: "is gone then", soon: true, status: 404 },
  {
    route: "DELETE /v1/apps/{app}/versions/{version}",
    what: "a draft",
    params: { app: "{rejectedApp}", version: "{rejected}" },
    status: 200,
    json: SUCCESS,
  },
  {
    route: "DELETE /v1/apps/{app}",
    what: "without versions",
    params: { app: "{rejectedApp}" },
    status: 200,
    json: SUCCESS,
  },
  { route: "GET /v1/apps/{app}", what: "is gone then", soon: true, params: { app: "{rejectedApp}" }, status: 404 },
  {
    route: `POST ${W}/apps`,
    what: "an application",
    body: { version_package: chart("{chart}-more", "1.0.0"), version_type: "helm" },
    status: 200,
    json: { app_id: /^app-/, version_id: /^appv-/ },
  },
];
