import { VersionChanged } from "../../shared/events/version.ts";
import { versionName } from "../../shared/lifecycle/app-state.ts";
import { stateChanged } from "../../shared/lifecycle/audit.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { LABEL } from "../../shared/resources/labels.ts";

/** What a changed draft has to tell; its newest entry is told again, so that the application's latest version follows. */
export function changedFacts(version: HelmApplicationVersion) {
  const { name, labels } = version.metadata;
  const app = labels?.[LABEL.appId] ?? "";
  const entry = version.status?.audit?.[0];
  const changed = VersionChanged.of(
    subjectOf(HelmApplicationVersion, { name }),
    { version: name, app, name: versionName(version) },
    { partitionkey: app || name },
  );
  return entry ? [changed, stateChanged(version, entry)] : [changed];
}
