import { AppDeleted, AppRecovered, AppSuspended } from "../../shared/events/app.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL, STORE_REPO } from "../../shared/resources/labels.ts";
import { answered, RestError, SUCCESS } from "../../shared/rest/answers.ts";
import { type Conditions, hasKeyword, meets } from "../../shared/rest/conditions.ts";
import { baseId, isOfStore } from "../../shared/rest/shapes.ts";
import { act } from "./acts.ts";
import { categoriesOf } from "./app-categories.ts";
import { bodyOf, type Call, conditions, type Handler, isVisible, param, textField } from "./call.ts";
import { byCreation, inOrder, page } from "./lists.ts";
import { appInPath, baseAppInPath, shapeOfApp } from "./lookups.ts";

/** Templates of a workspace, the store, or the charts of a repository. */
export const listApps: Handler = async (call) => {
  const asked = conditions(call);
  await demandSynced(call, asked.get("repo_id") ?? STORE_REPO);
  const apps = byCreation(await call.ports.kube.list(HelmApplication));
  const within = apps.filter((app) => isIn(call, app, asked));
  const categoryOf = await categoriesOf(call, within);
  const found = within.filter((app) => isWanted(app, asked) && meets(asked, "category_id", categoryOf(app) ?? ""));
  return page(call, inOrder(call, found), (app) => shapeOfApp(call, app));
};

/** A repository that is unknown, or was never synced, is no empty one (§6.3). */
async function demandSynced({ ports }: Call, repo: string): Promise<void> {
  if (repo === "" || repo === STORE_REPO) return;
  const found = (await ports.kube.list(HelmRepo)).find(({ metadata }) => metadata.name === repo);
  if (!found?.status?.lastSuccessfulTime && !found?.status?.data) throw new RestError(500, "load repo info failed");
}

function isIn(call: Call, app: HelmApplication, asked: Conditions): boolean {
  const repo = app.metadata.labels?.[LABEL.repoId] ?? "";
  const wanted = asked.get("repo_id") ?? "";
  if (wanted === STORE_REPO) return isOfStore(app);
  if (wanted !== "") return repo === wanted && isVisible(call, app);
  const workspace = call.params["workspace"] ?? asked.get("workspace") ?? "";
  return repo === "" && (app.metadata.labels?.[LABEL.workspace] ?? "") === workspace;
}

function isWanted(app: HelmApplication, asked: Conditions): boolean {
  const { metadata, spec, status } = app;
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
  await baseAppInPath(call);
  await act(call, AppDeleted.of(subjectOf(HelmApplication, { name: app }), { app }));
  return answered(SUCCESS);
};

/** Suspends or recovers all versions of an application. */
export const actOnApp: Handler = async (call) => {
  const body = await bodyOf(call);
  const action = textField(body, "action");
  const event = action === "suspend" ? AppSuspended : action === "recover" ? AppRecovered : undefined;
  if (!event) throw new RestError(500, "action not support");
  const app = (await baseAppInPath(call)).metadata.name;
  const message = textField(body, "message");
  const data = { app, ...(message === undefined ? {} : { message }) };
  await act(call, event.of(subjectOf(HelmApplication, { name: app }), data));
  return answered(SUCCESS);
};
