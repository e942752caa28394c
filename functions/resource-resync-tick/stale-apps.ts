import { VersionStateChanged } from "../../shared/events/version.ts";
import { stateOf } from "../../shared/lifecycle/act.ts";
import { appStateOf, latestVersionOf } from "../../shared/lifecycle/app-state.ts";
import { stateChanged } from "../../shared/lifecycle/audit.ts";
import { subjectOf } from "../../shared/resource.ts";
import type { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { LABEL, STORE_REPO, STORE_SUFFIX } from "../../shared/resources/labels.ts";

/** For each application that does not follow from its versions, the newest that happened to one of them, told again. */
export function staleFacts(apps: readonly HelmApplication[], versions: readonly HelmApplicationVersion[]) {
  const byApp = Map.groupBy(versions, ({ metadata }) => metadata.labels?.[LABEL.appId] ?? "");
  const names = new Set(apps.map(({ metadata }) => metadata.name));
  return apps.flatMap((app) => {
    const own = byApp.get(app.metadata.name) ?? [];
    const [first] = own.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const isCopy = app.metadata.labels?.[LABEL.repoId] === STORE_REPO;
    if (isCopy || !first || app.metadata.deletionTimestamp !== undefined) return [];
    return follows(app, own, names) ? [] : [toldAgain(first)];
  });
}

function follows(
  { metadata, status }: HelmApplication,
  versions: readonly HelmApplicationVersion[],
  names: ReadonlySet<string>,
): boolean {
  const state = appStateOf(versions);
  if (state !== "draft" && !names.has(`${metadata.name}${STORE_SUFFIX}`)) return false;
  return status?.state === state && status.latestVersion === latestVersionOf(versions);
}

/** Entries from before the store's time have no number, and stay out of the history. */
function toldAgain(version: HelmApplicationVersion) {
  const [newest] = version.status?.audit ?? [];
  if (newest?.sequence !== undefined) return stateChanged(version, newest);
  const { name, labels } = version.metadata;
  const state = stateOf(version);
  const told = { version: name, app: labels?.[LABEL.appId] ?? "", from: state, to: state };
  return VersionStateChanged.of(subjectOf(HelmApplicationVersion, { name }), told);
}
