import * as z from "zod";
import { defineEvent } from "../event.ts";
import { ping } from "../origin.ts";

const Release = {
  namespace: z.string().min(1).max(63).describe("Namespace of the HelmRelease."),
  release: z.string().min(1).max(253).describe("HelmRelease name."),
};
const release = { namespace: "demo", release: "rls-n04mj714o54k56" };

/** Somebody wants a version to run somewhere. */
export const ReleaseRequested = defineEvent({
  type: "release.requested",
  summary: "A HelmRequest asks for a version to be installed.",
  data: z.object({ request: z.string().min(1).max(253).describe("HelmRequest name.") }),
  example: { request: "req-web" },
});

/** What a request came to when it cannot be followed. */
export const ReleaseRefused = defineEvent({
  type: "release.refused",
  summary: "A HelmRequest cannot be followed; its status says why.",
  data: z.object({ request: z.string(), reason: z.string(), message: z.string() }),
  example: { request: "req-web", reason: "VersionNotReleased", message: "version appv-x is draft; release it first" },
});

/** Helm has something to do. */
export const ReleaseChanged = defineEvent({
  type: "release.changed",
  summary: "An install or upgrade of a HelmRelease is due.",
  data: z.object(Release),
  example: release,
});

/** Time to look how installed releases are. */
export const ReleaseCheckTick = defineEvent({
  type: "release.check.tick",
  summary: "Time to look whether installed releases became ready: one that is named, or all that are unfinished.",
  data: z.object(Release).partial(),
  example: release,
  origin: ping("release-check-tick", "* * * * *", {}),
});

/** Helm installed or upgraded. */
export const ReleaseDeployed = defineEvent({
  type: "release.deployed",
  summary: "Helm installed or upgraded a release.",
  data: z.object({ ...Release, revision: z.int(), chart: z.string(), version: z.string() }),
  example: { ...release, revision: 1, chart: "podinfo", version: "6.5.0" },
});

/** All objects of a release are ready. */
export const ReleaseReady = defineEvent({
  type: "release.ready",
  summary: "All objects of a release are ready.",
  data: z.object({ ...Release, revision: z.int().optional() }),
  example: { ...release, revision: 1 },
});

/** A release failed. */
export const ReleaseFailed = defineEvent({
  type: "release.failed",
  summary: "Helm failed, or a release did not become ready in time.",
  data: z.object({ ...Release, reason: z.string(), message: z.string() }),
  example: { ...release, reason: "HelmFailed", message: "the chart needs Kubernetes >= 1.99" },
});
