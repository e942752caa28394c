import { newestFirst } from "../../shared/charts/version.ts";
import { versionName } from "../../shared/lifecycle/app-state.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { type AppContext, appShape, baseId, workspaceOf } from "../../shared/rest/shapes.ts";
import { categoriesOf } from "./app-categories.ts";
import { type Call, inWorkspace, param } from "./call.ts";
import { listedVersion } from "./repository-charts.ts";

/** All versions of an application; the store's copy shares those of the original. */
export function versionsOf({ ports }: Call, app: string): Promise<readonly HelmApplicationVersion[]> {
  return ports.kube.list(HelmApplicationVersion, { labels: { [LABEL.appId]: baseId(app) } });
}

/** The application that the path names. */
export async function appInPath(call: Call): Promise<HelmApplication> {
  const name = param(call, "app");
  const app = await call.ports.kube.get(HelmApplication, name);
  return inWorkspace(call, app, `helmapplications.application.kubesphere.io "${name}"`);
}

/** The original of the application that the path names: the store's copy stands for it (§2.9). */
export async function baseAppInPath(call: Call): Promise<HelmApplication> {
  const name = baseId(param(call, "app"));
  const app = await call.ports.kube.get(HelmApplication, name);
  return inWorkspace(call, app, `helmapplications.application.kubesphere.io "${name}"`);
}

/** The version that the path names. */
export async function versionInPath(call: Call): Promise<HelmApplicationVersion> {
  const name = param(call, "version");
  const version = (await call.ports.kube.get(HelmApplicationVersion, name)) ?? (await listedVersion(call, name));
  return inWorkspace(call, version, `helmapplicationversions.application.kubesphere.io "${name}"`);
}

/** The application as v1 shows it, with its category and the version whose name is its latest (§2.8). */
export async function shapeOfApp(call: Call, app: HelmApplication) {
  return appShape(app, await contextOf(call, app));
}

async function contextOf(call: Call, app: HelmApplication): Promise<AppContext> {
  const { metadata, status } = app;
  const id = (await categoriesOf(call, [app]))(app);
  const [categories, versions] = await Promise.all([
    id === undefined ? [] : call.ports.kube.list(HelmCategory),
    versionsOf(call, metadata.name),
  ]);
  return {
    category: categories.find(({ metadata: { name } }) => name === id),
    latest: versions.find((version) => versionName(version) === status?.latestVersion),
  };
}

/** Oldest first by version, unreadable ones before all (§6.3). */
export function oldestVersionFirst(versions: readonly HelmApplicationVersion[]): readonly HelmApplicationVersion[] {
  return newestFirst(versions, ({ spec }) => spec.version ?? "").reverse();
}

/** Without a workspace in the path the named object says whose rights count; `undefined` where there is none. */
export async function workspaceOfNamed({ params, ports: { kube } }: Call): Promise<string | undefined> {
  const { app, version, repo } = params;
  const object =
    (version === undefined ? undefined : await kube.get(HelmApplicationVersion, version)) ??
    (app === undefined ? undefined : await kube.get(HelmApplication, app)) ??
    (repo === undefined ? undefined : await kube.get(HelmRepo, repo));
  return object && workspaceOf(object);
}
