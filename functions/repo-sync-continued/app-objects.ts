import type { SavedVersion } from "../../shared/charts/kubesphere-index.ts";
import { type ConditionInput, findCondition, setConditions } from "../../shared/conditions.ts";
import { create, remove, replace, replaceStatus, type Write } from "../../shared/decision.ts";
import { sameJson } from "../../shared/equal.ts";
import { repositoryMarks } from "../../shared/lifecycle/repository-version.ts";
import { cutText } from "../../shared/lifecycle/version-object.ts";
import { apiVersionOf, type OwnerReference } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import type { ChartWork, WriteWorld } from "./world.ts";

type AppWrite = Write<"HelmApplication">;
type Status = NonNullable<HelmApplication["status"]>;

/** Brings the application of a chart to the index; one that the index lost stays while a version of it does. */
export function appWrites(
  work: ChartWork,
  { repo, now }: Pick<WriteWorld, "repo" | "now">,
  stays: boolean,
): readonly AppWrite[] {
  const { app, wanted } = work;
  const [newest] = wanted;
  if (!newest) return app ? leaving(app, stays, now) : [];
  const time = now.toISOString();
  const latestVersion = newest.appVersion ? `${newest.version} [${newest.appVersion}]` : newest.version;
  const spec = appSpec(work.chart, newest);
  if (!app) {
    const metadata = { name: work.appId, ...repositoryMarks(repo), ...ownedBy(repo) };
    const conditions = setConditions(undefined, deprecation(undefined, newest), time);
    const status = { state: "active" as const, latestVersion, statusTime: time, updateTime: time };
    return [
      create(HelmApplication, { metadata, spec, status: conditions.length === 0 ? status : { ...status, conditions } }),
    ];
  }
  const lists = { type: "Withdrawn", status: "False", reason: "Listed", message: "the index lists the chart" } as const;
  const back = findCondition(app.status?.conditions, "Withdrawn") ? [lists] : [];
  const inputs = [...deprecation(app.status, newest), ...back];
  return [...specWrite(repo, app, spec), ...statusWrite(app, { state: "active", latestVersion, inputs, time })];
}

function specWrite(repo: HelmRepo, app: HelmApplication, spec: HelmApplication["spec"]): readonly AppWrite[] {
  const owned = app.metadata.ownerReferences?.some(({ uid }) => uid === repo.metadata.uid) ?? false;
  const wanted = { ...app.spec, ...spec };
  if (owned && sameJson(wanted, app.spec)) return [];
  const metadata = owned ? app.metadata : { ...app.metadata, ...ownedBy(repo) };
  return [replace(HelmApplication, { ...app, metadata, spec: wanted })];
}

interface Derived {
  readonly state: "active" | "suspended";
  readonly latestVersion: string;
  readonly inputs: readonly ConditionInput[];
  readonly time: string;
}

function statusWrite(app: HelmApplication, { state, latestVersion, inputs, time }: Derived): readonly AppWrite[] {
  const { status } = app;
  const news = inputs.filter(({ type, status: value }) => findCondition(status?.conditions, type)?.status !== value);
  if (status?.state === state && status.latestVersion === latestVersion && news.length === 0) return [];
  const conditions = setConditions(status?.conditions, news, time);
  const statusTime = status?.state === state ? (status.statusTime ?? time) : time;
  const next: Status = { ...status, state, latestVersion, statusTime, updateTime: time };
  return [replaceStatus(HelmApplication, app, conditions.length === 0 ? next : { ...next, conditions })];
}

function leaving(app: HelmApplication, stays: boolean, now: Date): readonly AppWrite[] {
  if (!stays) return [remove(HelmApplication, app)];
  const message = "the repository does not list this chart any more; releases that use it keep their versions";
  const gone = { type: "Withdrawn", status: "True", reason: "NotListed", message } as const;
  const { latestVersion = "" } = app.status ?? {};
  return statusWrite(app, { state: "suspended", latestVersion, inputs: [gone], time: now.toISOString() });
}

/** A chart whose newest version is deprecated is deprecated as a whole (Helm). */
function deprecation(before: Status | undefined, { deprecated = false }: SavedVersion): readonly ConditionInput[] {
  const told = findCondition(before?.conditions, "Deprecated");
  if (!deprecated && !told) return [];
  const message = deprecated
    ? "the repository marks this chart as deprecated; look for another one"
    : "the chart is kept up again";
  const reason = deprecated ? "MarkedInIndex" : "NotMarked";
  return [{ type: "Deprecated", status: deprecated ? "True" : "False", reason, message }];
}

function appSpec(name: string, { description, icon, home }: SavedVersion): HelmApplication["spec"] {
  return {
    name,
    ...(description ? { description: cutText(description) } : {}),
    ...(icon ? { icon } : {}),
    ...(home ? { appHome: home } : {}),
  };
}

/** With its repository an application goes, and with it its versions; what was installed from it stays. */
function ownedBy({ metadata: { name, uid } }: HelmRepo): { readonly ownerReferences?: readonly OwnerReference[] } {
  if (uid === undefined) return {};
  return { ownerReferences: [{ apiVersion: apiVersionOf(HelmRepo), kind: HelmRepo.kind, name, uid }] };
}
