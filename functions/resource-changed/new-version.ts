import { VersionCreated } from "../../shared/events/version.ts";
import { draftEntry, stateChanged } from "../../shared/lifecycle/audit.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { ANNOTATION, LABEL } from "../../shared/resources/labels.ts";

/** The status that a version without one gets: a draft since it was made, by whoever made it (KubeSphere §2.5). */
export function draftStatus({ metadata, status }: HelmApplicationVersion, event: string) {
  const operator = metadata.annotations?.[ANNOTATION.creator];
  const time = metadata.creationTimestamp ?? new Date(0).toISOString();
  const made = { name: metadata.name, time, event, ...(operator === undefined ? {} : { operator }) };
  return { ...status, state: "draft" as const, audit: [draftEntry(made)] };
}

/** The facts that follow from a new draft. */
export function createdFacts({ metadata, spec, status }: HelmApplicationVersion) {
  const app = metadata.labels?.[LABEL.appId];
  const entry = status?.audit?.at(-1);
  if (app === undefined || !entry) return [];
  const made = { version: metadata.name, app, ...(spec.package === undefined ? {} : { package: spec.package }) };
  const created = VersionCreated.of(subjectOf(HelmApplicationVersion, metadata), made, { partitionkey: app });
  return [created, stateChanged({ metadata }, entry)];
}
