import type { QueryName } from "../../shared/rest/queries.ts";
import type { AnswerName, BodyName } from "../../shared/rest/schemas.ts";
import { modifyApp } from "./app-edits.ts";
import { actOnApp, deleteApp, describeApp, listApps } from "./apps.ts";
import { createAttachment, deleteAttachments, describeAttachment } from "./attachments.ts";
import type { Handler } from "./call.ts";
import { countStore, searchStore } from "./catalog.ts";
import { describeCategory, listCategories } from "./categories.ts";
import { createCategory, deleteCategory, modifyCategory } from "./category-acts.ts";
import { describeApi } from "./describe-api.ts";
import { describeOutcome } from "./outcomes.ts";
import { createApp, createVersion, downloadPackage, listFiles, modifyVersion } from "./packages.ts";
import { RAW } from "./raw-objects.ts";
import { notYet } from "./releases.ts";
import { createRepo, deleteRepo, modifyRepo } from "./repo-acts.ts";
import { actOnRepo, describeRepo, listRepoEvents, listRepos } from "./repos.ts";
import { actOnVersion, deleteVersion } from "./version-acts.ts";
import { describeVersion, listAppAudits, listReviews, listVersionAudits, listVersions } from "./versions.ts";

/** What a handler takes and gives, by the names of shared/rest/schemas.ts. */
export interface Contract {
  readonly answer: AnswerName;
  readonly body?: BodyName;
  readonly query?: QueryName;
  /** Most bytes of a body that are read. */
  readonly maxBytes: number;
}

/** Bodies that carry words. */
const WORDS = 64 * 1024;
/** Bodies that carry a picture in base64, or in a form. */
const PICTURE = 8 * 1024 * 1024;
/** Bodies that carry a chart package in base64, or as one of several parts. */
const PACKAGE = 48 * 1024 * 1024;

const answers = (answer: AnswerName): Contract => ({ answer, maxBytes: WORDS });
const lists = (answer: AnswerName): Contract => ({ answer, query: "list", maxBytes: WORDS });
const ACTS: Contract = { answer: "Success", body: "Action", maxBytes: WORDS };
const RAW_LIST: Contract = { answer: "ObjectList", query: "generic", maxBytes: WORDS };

/** Every handler with its contract: the limits of bodies and the OpenAPI document follow. */
const CONTRACTS = new Map<Handler, Contract>([
  [describeApi, answers("Any")],
  [describeOutcome, answers("Outcome")],
  [searchStore, { answer: "Found", query: "search", maxBytes: WORDS }],
  [countStore, answers("Statistics")],
  [listRepos, lists("RepoList")],
  [describeRepo, answers("Repo")],
  [createRepo, { answer: "RepoCreated", body: "CreateRepo", query: "validate", maxBytes: WORDS }],
  [modifyRepo, { answer: "Success", body: "ModifyRepo", maxBytes: WORDS }],
  [deleteRepo, answers("Success")],
  [listRepoEvents, lists("RepoEventList")],
  [actOnRepo, ACTS],
  [listApps, lists("AppList")],
  [createApp, { answer: "AppCreated", body: "CreateApp", query: "validate", maxBytes: PACKAGE }],
  [describeApp, answers("App")],
  [modifyApp, { answer: "Success", body: "ModifyApp", maxBytes: PICTURE }],
  [deleteApp, answers("Success")],
  [actOnApp, ACTS],
  [listAppAudits, lists("AuditList")],
  [listVersions, lists("VersionList")],
  [createVersion, { answer: "VersionCreated", body: "CreateVersion", query: "validate", maxBytes: PACKAGE }],
  [describeVersion, answers("Version")],
  [modifyVersion, { answer: "Success", body: "ModifyVersion", maxBytes: PACKAGE }],
  [downloadPackage, answers("Package")],
  [listFiles, { answer: "Files", query: "files", maxBytes: WORDS }],
  [deleteVersion, answers("Success")],
  [listVersionAudits, lists("AuditList")],
  [actOnVersion, ACTS],
  [listReviews, lists("ReviewList")],
  [listCategories, lists("CategoryList")],
  [describeCategory, answers("Category")],
  [createCategory, { answer: "CategoryCreated", body: "CreateCategory", maxBytes: WORDS }],
  [modifyCategory, { answer: "Success", body: "ModifyCategory", maxBytes: WORDS }],
  [deleteCategory, answers("Success")],
  [createAttachment, { answer: "AttachmentCreated", maxBytes: PICTURE }],
  [describeAttachment, answers("Attachment")],
  [deleteAttachments, answers("Any")],
  [notYet, { answer: "Any", body: "Any", maxBytes: WORDS }],
  ...[RAW.repos, RAW.apps, RAW.versions, RAW.categories].map((each): [Handler, Contract] => [each, RAW_LIST]),
  ...[RAW.repo, RAW.app, RAW.version, RAW.category].map((each): [Handler, Contract] => [each, answers("Object")]),
]);

/** The contract of a handler; one without is a mistake of ours. */
export function contractOf(handle: Handler): Contract {
  const contract = CONTRACTS.get(handle);
  if (!contract) throw new Error(`handler ${handle.name} has no contract in contracts.ts`);
  return contract;
}
