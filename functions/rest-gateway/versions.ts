import { isFromRepository, stateOf } from "../../shared/lifecycle/act.ts";
import { versionName } from "../../shared/lifecycle/app-state.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { answered } from "../../shared/rest/answers.ts";
import { hasKeyword, meets } from "../../shared/rest/conditions.ts";
import { auditShape, baseId, reviewShape, versionShape } from "../../shared/rest/shapes.ts";
import { type Call, conditions, type Handler, isVisible, param } from "./call.ts";
import { historyOf } from "./history.ts";
import { inOrder, page } from "./lists.ts";
import { baseAppInPath, oldestVersionFirst, versionInPath, versionsOf } from "./lookups.ts";
import { listedOnly } from "./repository-charts.ts";

/** Versions of an application, oldest first unless asked otherwise. */
export const listVersions: Handler = async (call) => {
  const asked = conditions(call);
  const objects = await versionsOf(call, param(call, "app"));
  const app = (await call.ports.kube.list(HelmApplication)).find(
    ({ metadata }) => metadata.name === call.params["app"],
  );
  const versions = [...objects, ...(await listedOnly(call, app, objects))].filter(
    (version) =>
      isVisible(call, version) &&
      meets(asked, "status", stateOf(version)) &&
      hasKeyword(asked, version.spec.version, version.spec.appVersion),
  );
  return page(call, inOrder(call, oldestVersionFirst(versions)), versionShape);
};

/** One version. */
export const describeVersion: Handler = async (call) => answered(versionShape(await versionInPath(call)));

/** The audit trail of one version, newest first: all of it, not only what the object keeps. */
export const listVersionAudits: Handler = async (call) => {
  const version = await versionInPath(call);
  const appName = (await namesOfApps(call))(version);
  return page(call, await historyOf(call, [version]), ({ entry }) => auditShape(version, appName, entry));
};

/** The audit trails of all versions of an application, newest first. */
export const listAppAudits: Handler = async (call) => {
  const app = await baseAppInPath(call);
  const versions = await versionsOf(call, app.metadata.name);
  const entries = await historyOf(call, versions);
  return page(call, entries, ({ version, entry }) => auditShape(version, app.spec.name, entry));
};

/** The review queue: every version, by the time of its last audit. */
export const listReviews: Handler = async (call) => {
  const asked = conditions(call);
  const versions = (await call.ports.kube.list(HelmApplicationVersion)).filter(
    (version) =>
      !isFromRepository(version) && meets(asked, "status", stateOf(version)) && hasKeyword(asked, version.spec.name),
  );
  const time = ({ status, metadata }: HelmApplicationVersion) =>
    Date.parse(status?.audit?.[0]?.time ?? metadata.creationTimestamp ?? "");
  const sorted = versions.toSorted((a, b) => time(a) - time(b) || (versionName(a) < versionName(b) ? -1 : 1));
  const nameOfApp = await namesOfApps(call);
  return page(call, inOrder(call, sorted), (version) => reviewShape(version, nameOfApp(version)));
};

/** Finds the name of a version's application; "" where that is gone. */
async function namesOfApps({ ports }: Call): Promise<(version: HelmApplicationVersion) => string> {
  const apps = await ports.kube.list(HelmApplication);
  const names = new Map(apps.map(({ metadata, spec }) => [metadata.name, spec.name]));
  return ({ metadata }) => names.get(baseId(metadata.labels?.[LABEL.appId] ?? "")) ?? "";
}
