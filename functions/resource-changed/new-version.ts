import { VersionCreated, VersionStateChanged } from "../../shared/events/version.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { ANNOTATION, LABEL } from "../../shared/resources/labels.ts";

/** The status that a version without one gets: a draft since it was made, by whoever made it (KubeSphere §2.5). */
export function draftStatus({ metadata, status }: HelmApplicationVersion, event: string) {
  const operator = metadata.annotations?.[ANNOTATION.creator];
  const time = metadata.creationTimestamp ?? new Date(0).toISOString();
  const entry = { state: "draft" as const, time, event, ...(operator === undefined ? {} : { operator }) };
  return { ...status, state: "draft" as const, audit: [entry] };
}

/** The facts that follow from a new draft. */
export function createdFacts({ metadata, spec }: HelmApplicationVersion) {
  const subject = subjectOf(HelmApplicationVersion, metadata);
  const app = metadata.labels?.[LABEL.appId];
  if (app === undefined) return [];
  const version = { version: metadata.name, app };
  const from = { ...version, from: null, to: "draft" as const };
  const made = { ...version, ...(spec.package === undefined ? {} : { package: spec.package }) };
  const options = { partitionkey: app };
  return [VersionCreated.of(subject, made, options), VersionStateChanged.of(subject, from, options)];
}
