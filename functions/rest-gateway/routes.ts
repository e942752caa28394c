import { type PathPattern, pathPattern } from "../../shared/rest/route.ts";
import { modifyApp } from "./app-edits.ts";
import { actOnApp, deleteApp, describeApp, listApps } from "./apps.ts";
import { createAttachment, deleteAttachments, describeAttachment } from "./attachments.ts";
import type { Handler } from "./call.ts";
import { countStore, searchStore } from "./catalog.ts";
import { describeCategory, listCategories } from "./categories.ts";
import { createCategory, deleteCategory, modifyCategory } from "./category-acts.ts";
import { type Contract, contractOf } from "./contracts.ts";
import { describeApi } from "./describe-api.ts";
import { describeOutcome } from "./outcomes.ts";
import { createApp, createVersion, downloadPackage, listFiles, modifyVersion } from "./packages.ts";
import { RAW } from "./raw-objects.ts";
import { notYet } from "./releases.ts";
import { createRepo, deleteRepo, modifyRepo } from "./repo-acts.ts";
import { actOnRepo, describeRepo, listRepoEvents, listRepos } from "./repos.ts";
import { actOnVersion, deleteVersion } from "./version-acts.ts";
import { describeVersion, listAppAudits, listReviews, listVersionAudits, listVersions } from "./versions.ts";

/** One route of the API, from which router, rights and documents follow. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly pattern: PathPattern;
  readonly summary: string;
  /** What is asked of Kubernetes before the handler runs; `own`: the handler asks itself; `open`: nothing is asked. */
  readonly right: { readonly verb: string; readonly resource: string } | "own" | "open";
  /** Served for those who have it in their scripts; the form with a workspace is the better one. */
  readonly deprecated: boolean;
  readonly contract: Contract;
  readonly handle: Handler;
}

const BASE = "/kapis/openpitrix.io";
const V1 = `${BASE}/v1`;
const V2 = `${BASE}/v2alpha1`;
const W = "/workspaces/{workspace}";

type Row = readonly [methods: Route["method"], path: string, right: string, summary: string, handle: Handler];

/** v1 with the prefix of a workspace and without (KubeSphere §6.2). A right is `<verb> <resource>`, `own` or `open`. */
const BOTH: readonly Row[] = [
  ["GET", "/repos", "list repos", "List repositories", listRepos],
  ["POST", "/repos", "create repos", "Add a repository, or only try it", createRepo],
  ["GET", "/repos/{repo}", "get repos", "Describe a repository", describeRepo],
  ["PATCH", "/repos/{repo}", "update repos", "Edit a repository", modifyRepo],
  ["DELETE", "/repos/{repo}", "delete repos", "Delete a repository with its applications", deleteRepo],
  ["GET", "/repos/{repo}/events", "list repos/events", "List the last syncs", listRepoEvents],
  ["POST", "/repos/{repo}/action", "refresh repos", "Sync a repository now", actOnRepo],
  ["GET", "/apps", "list apps", "List templates, the store or a repository's charts", listApps],
  ["POST", "/apps", "create apps", "Create an application from a package", createApp],
  ["GET", "/apps/{app}", "get apps", "Describe an application", describeApp],
  ["PATCH", "/apps/{app}", "update apps", "Edit what an application shows", modifyApp],
  ["DELETE", "/apps/{app}", "delete apps", "Delete an application without versions", deleteApp],
  ["POST", "/apps/{app}/action", "suspend apps", "Suspend or recover all versions", actOnApp],
  ["GET", "/apps/{app}/versions", "list apps/versions", "List versions", listVersions],
  ["POST", "/apps/{app}/versions", "create apps/versions", "Add a version from a package", createVersion],
  ["GET", "/apps/{app}/versions/{version}", "get apps/versions", "Describe a version", describeVersion],
  ["PATCH", "/apps/{app}/versions/{version}", "update apps/versions", "Modify a version", modifyVersion],
  ["DELETE", "/apps/{app}/versions/{version}", "delete apps/versions", "Delete a version", deleteVersion],
  ["GET", "/apps/{app}/versions/{version}/audits", "list apps/audits", "List what happened", listVersionAudits],
  [
    "POST",
    "/apps/{app}/versions/{version}/action",
    "own",
    "Submit, cancel, review, pass, reject, release …",
    actOnVersion,
  ],
  ["GET", "/applications", "list applications", "List releases", notYet],
  ["GET", "/clusters/{cluster}/applications", "list applications", "List releases of a cluster", notYet],
];

const CLUSTER = "/clusters/{cluster}";

const RELEASES: readonly Row[] = ["", CLUSTER].flatMap((cluster): Row[] => {
  const releases = `${cluster}/namespaces/{namespace}/applications`;
  return [
    ["GET", releases, "list applications", "List releases", notYet],
    ["POST", releases, "create applications", "Deploy", notYet],
    ["GET", `${releases}/{application}`, "get applications", "Describe a release", notYet],
    ["PATCH", `${releases}/{application}`, "update applications", "Edit a release's description", notYet],
    ["POST", `${releases}/{application}`, "update applications", "Upgrade a release", notYet],
    ["DELETE", `${releases}/{application}`, "delete applications", "Uninstall", notYet],
  ];
});

const WORKSPACE_ONLY: readonly Row[] = [
  ...RELEASES,
  ["DELETE", `${CLUSTER}/applications/{application}`, "delete applications", "Uninstall", notYet],
];

const GLOBAL_ONLY: readonly Row[] = [
  ["GET", "/apps/{app}/audits", "list apps/audits", "List what happened to all versions", listAppAudits],
  ["GET", "/apps/{app}/versions/{version}/package", "get apps/versions", "Download the package", downloadPackage],
  ["GET", "/apps/{app}/versions/{version}/files", "get apps/versions", "Read files of the package", listFiles],
  ["GET", "/categories", "list categories", "List categories", listCategories],
  ["POST", "/categories", "create categories", "Make a category", createCategory],
  ["GET", "/categories/{category}", "get categories", "Describe a category", describeCategory],
  ["PATCH", "/categories/{category}", "update categories", "Rename or describe a category", modifyCategory],
  ["DELETE", "/categories/{category}", "delete categories", "Delete an empty category", deleteCategory],
  ["POST", "/attachments", "create attachments", "Keep a picture", createAttachment],
  ["GET", "/attachments/{attachment}", "get attachments", "Give a picture, as JSON or raw", describeAttachment],
  ["DELETE", "/attachments/{attachment}", "delete attachments", "Delete pictures", deleteAttachments],
  ["GET", "/reviews", "list reviews", "List the review queue", listReviews],
];

const RAW_ROWS: readonly Row[] = [
  ["GET", "/apps", "list apps", "List HelmApplications", RAW.apps],
  ["GET", "/apps/{app}", "get apps", "Get a HelmApplication", RAW.app],
  ["GET", "/apps/{app}/versions", "list apps/versions", "List HelmApplicationVersions", RAW.versions],
  ["GET", "/apps/{app}/versions/{version}", "get apps/versions", "Get a HelmApplicationVersion", RAW.version],
  ["GET", "/applications", "list applications", "List HelmReleases", notYet],
];

const RAW_WORKSPACE_ROWS: readonly Row[] = [
  ["GET", "/repos", "list repos", "List HelmRepos", RAW.repos],
  ["GET", "/repos/{repo}", "get repos", "Get a HelmRepo", RAW.repo],
  ["GET", `${CLUSTER}/namespaces/{namespace}/applications`, "list applications", "List HelmReleases", notYet],
  [
    "GET",
    `${CLUSTER}/namespaces/{namespace}/applications/{application}`,
    "get applications",
    "Get a HelmRelease",
    notYet,
  ],
];

const RAW_GLOBAL_ROWS: readonly Row[] = [
  ["GET", "/categories", "list categories", "List HelmCategories", RAW.categories],
  ["GET", "/categories/{category}", "get categories", "Get a HelmCategory", RAW.category],
  ["GET", "/applications/{application}", "get applications", "Get a HelmRelease", notYet],
];

/** Neither of v1 nor of v2alpha1: what KubeSphere does not have. */
const OURS: readonly Row[] = [
  ["GET", "/openapi.json", "open", "Describe this API as OpenAPI 3.1", describeApi],
  ["GET", "/search", "list apps", "Find applications of the store by words", searchStore],
  ["GET", "/statistics", "list apps", "Count applications, versions and repositories", countStore],
  ["GET", "/outcomes/{event}", "own", "Look what became of an act that was answered with 504", describeOutcome],
];

/** Forms without a workspace that KubeSphere marks as deprecated (§6.2). */
const DEPRECATED = /^\/(?:apps\b(?!.*\/package$)|applications\b|repos\/.*\/action$)/;

/** Every route of the API. */
export const ROUTES: readonly Route[] = [
  ...OURS.map((row) => route(BASE, row)),
  ...[...BOTH, ...GLOBAL_ONLY].map((row) => route(V1, row)),
  ...[...BOTH, ...WORKSPACE_ONLY].map((row) => route(V1 + W, row)),
  ...[...RAW_ROWS, ...RAW_GLOBAL_ROWS].map((row) => route(V2, row)),
  ...[...RAW_ROWS, ...RAW_WORKSPACE_ROWS].map((row) => route(V2 + W, row)),
];

function route(base: string, [method, path, right, summary, handle]: Row): Route {
  const [verb = "", resource = ""] = right.split(" ");
  const asked = right === "own" || right === "open" ? right : { verb, resource };
  const deprecated = base === V1 && DEPRECATED.test(path);
  return {
    method,
    pattern: pathPattern(base + path),
    summary,
    right: asked,
    deprecated,
    contract: contractOf(handle),
    handle,
  };
}
