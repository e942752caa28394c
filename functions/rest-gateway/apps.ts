import { AppDeleted, AppRecovered, AppSuspended } from "../../shared/events/app.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { LABEL, STORE_REPO } from "../../shared/resources/labels.ts";
import { answered, RestError, SUCCESS } from "../../shared/rest/answers.ts";
import { alternativesOf, type Conditions, hasKeyword, meets } from "../../shared/rest/conditions.ts";
import { baseId } from "../../shared/rest/shapes.ts";
import { act } from "./acts.ts";
import { bodyOf, type Call, conditions, type Handler, param, textField } from "./call.ts";
import { byCreation, inOrder, page } from "./lists.ts";
import { appInPath, shapeOfApp } from "./lookups.ts";

/** Repositories that came with KubeSphere have names that begin so; their charts are part of the store (§6.3). */
const BUILTIN = "builtin-";

/** Templates of a workspace, the store, or the charts of a repository. */
export const listApps: Handler = async (call) => {
  const asked = conditions(call);
  const apps = await call.ports.kube.list(HelmApplication);
  const found = apps.filter((app) => isIn(call, app, asked) && isWanted(app, asked));
  return page(call, inOrder(call, byCreation(found)), (app) => shapeOfApp(call, app));
};

function isIn({ params }: Call, { metadata }: HelmApplication, asked: Conditions): boolean {
  const repo = metadata.labels?.[LABEL.repoId] ?? "";
  const wanted = asked.get("repo_id") ?? "";
  if (wanted === STORE_REPO) return repo === STORE_REPO || repo.startsWith(BUILTIN);
  if (wanted !== "") return repo === wanted;
  const workspace = params["workspace"] ?? asked.get("workspace") ?? "";
  return repo === "" && (metadata.labels?.[LABEL.workspace] ?? "") === workspace;
}

function isWanted(app: HelmApplication, asked: Conditions): boolean {
  const { metadata, spec, status } = app;
  const category = alternativesOf(asked, "category_id");
  if (category && !category.includes(metadata.labels?.[LABEL.categoryId] ?? "")) return false;
  return (
    hasKeyword(asked, spec.name) &&
    meets(asked, "app_id", metadata.name) &&
    meets(asked, "status", status?.state || "draft")
  );
}

/** One application, exactly the copy that is named (§2.9). */
export const describeApp: Handler = async (call) => answered(await shapeOfApp(call, await appInPath(call)));

/** Deletes an application without versions, with the store's copy; either id does (§2.9). */
export const deleteApp: Handler = async (call) => {
  const app = baseId(param(call, "app"));
  if (!(await call.ports.kube.get(HelmApplication, app))) return answered(SUCCESS);
  await appInPath(call);
  await act(call, AppDeleted.of(subjectOf(HelmApplication, { name: app }), { app }));
  return answered(SUCCESS);
};

/** Suspends or recovers all versions of an application. */
export const actOnApp: Handler = async (call) => {
  const body = await bodyOf(call);
  const action = textField(body, "action");
  const event = action === "suspend" ? AppSuspended : action === "recover" ? AppRecovered : undefined;
  if (!event) throw new RestError(500, "action not support");
  const app = baseId((await appInPath(call)).metadata.name);
  const message = textField(body, "message");
  const data = { app, ...(message === undefined ? {} : { message }) };
  await act(call, event.of(subjectOf(HelmApplication, { name: app }), data));
  return answered(SUCCESS);
};
