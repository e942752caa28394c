import * as z from "zod";
import { defineEvent } from "../event.ts";
import { Action, ReviewStep, VersionState } from "../lifecycle/states.ts";

const Version = { version: z.string().min(1).max(253).describe("HelmApplicationVersion name.") };
const Act = z.object({
  ...Version,
  message: z.string().max(1024).optional().describe("What the acting person says."),
  immediate: z
    .boolean()
    .optional()
    .describe("Refuse at once what comes too early, instead of waiting for the act before."),
});
const ReviewAct = Act.extend({
  step: ReviewStep.optional().describe(
    "Step of the review; default: the one whose turn it is. admin passes all at once.",
  ),
});
const act = { version: "appv-n04mj714o54k56", message: "ready" };

/** A vendor hands a draft in for review. */
export const VersionSubmitted = defineEvent({
  type: "version.submitted",
  summary: "A vendor asks for a version to be reviewed.",
  data: Act,
  example: act,
});

/** A vendor takes a submission back. */
export const VersionCancelled = defineEvent({
  type: "version.cancelled",
  summary: "A vendor takes a submitted or passed version back to draft.",
  data: Act,
  example: { ...act, message: "found a mistake" },
});

/** A reviewer takes a step of the review. */
export const VersionReviewStarted = defineEvent({
  type: "version.review.started",
  summary: "A reviewer starts to look at a submitted version.",
  data: ReviewAct,
  example: act,
});

/** A reviewer accepts. */
export const VersionApproved = defineEvent({
  type: "version.approved",
  summary: "A reviewer accepts a submitted version.",
  data: ReviewAct,
  example: act,
});

/** A reviewer refuses. */
export const VersionRejected = defineEvent({
  type: "version.rejected",
  summary: "A reviewer turns a submitted version down.",
  data: ReviewAct,
  example: { ...act, message: "no resource limits" },
});

/** A passed version goes into the store. */
export const VersionReleased = defineEvent({
  type: "version.released",
  summary: "A passed version is to be offered in the store.",
  data: Act,
  example: act,
});

/** A store manager takes a version off the shelf. */
export const VersionSuspended = defineEvent({
  type: "version.suspended",
  summary: "An active version is to be taken out of the store.",
  data: Act,
  example: { ...act, message: "CVE-2026-0001" },
});

/** A store manager puts a version back. */
export const VersionRecovered = defineEvent({
  type: "version.recovered",
  summary: "A suspended version is to be offered again.",
  data: Act,
  example: act,
});

/** Somebody deletes a version. */
export const VersionDeleted = defineEvent({
  type: "version.deleted",
  summary: "A version that is not in the store is to be deleted; deleting what is gone already succeeds.",
  data: Act,
  example: act,
});

/** A vendor renames or describes a version. */
export const VersionEdited = defineEvent({
  type: "version.edited",
  summary: "A version is to be renamed or described; what is left out stays.",
  data: z.object({
    ...Version,
    name: z.string().max(512).optional().describe("Name of the version: `<version>` or `<version> [<appVersion>]`."),
    description: z.string().max(8192).optional().describe("What is new in it; kept up to 512 bytes."),
  }),
  example: { version: "appv-n04mj714o54k56", name: "1.2.3 [7.0]", description: "mends the login" },
});

/** A version was edited. */
export const VersionChanged = defineEvent({
  type: "version.changed",
  summary: "A version was renamed or described anew.",
  data: z.object({
    ...Version,
    app: z.string().describe("HelmApplication name, without -store."),
    name: z.string().describe("Name of the version now."),
  }),
  example: { version: "appv-n04mj714o54k56", app: "app-300m50zn91nwz5", name: "1.2.3 [7.0]" },
});

/** A version exists that did not before. */
export const VersionCreated = defineEvent({
  type: "version.created",
  summary: "A version of an application exists as a draft.",
  data: z.object({ ...Version, app: z.string(), package: z.string().optional() }),
  example: { version: "appv-n04mj714o54k56", app: "app-300m50zn91nwz5" },
});

const AuditSeal = z.object({
  action: Action.optional().describe("What was done; absent: the version was made."),
  step: ReviewStep.optional().describe("Step of the review that the act belongs to."),
  time: z.string().describe("When it was done, RFC 3339."),
  event: z.string().optional().describe("Id of the event that carried the act."),
  sequence: z.int().min(1).describe("Number of the act in the version's history, from 1."),
  previous: z.string().describe('Hash of the entry before; "" for the first.'),
  hash: z.string().describe("Hash over this entry and the one before."),
});

/** An act was accepted. */
export const VersionStateChanged = defineEvent({
  type: "version.state.changed",
  summary: "An act on a version was accepted; the application's state may follow.",
  data: z.object({
    ...Version,
    app: z.string().describe("HelmApplication name, without -store."),
    from: VersionState.nullable().describe("null when the version is new, or was gone before."),
    to: VersionState.nullable().describe("null when the version is gone."),
    operator: z.string().optional().describe("Who acted."),
    message: z.string().optional().describe("What the acting person said."),
    audit: AuditSeal.optional().describe("The entry of the version's history that this act made."),
  }),
  example: {
    version: "appv-n04mj714o54k56",
    app: "app-300m50zn91nwz5",
    from: "submitted",
    to: "passed",
    operator: "ann",
  },
});

/** An act was refused. */
export const VersionActionRefused = defineEvent({
  type: "version.action.refused",
  summary: "An act on a version is not allowed in its state.",
  data: z.object({
    ...Version,
    app: z.string().optional().describe("HelmApplication name, without -store."),
    action: z.string().describe("What was asked for."),
    state: z.string().nullable().describe("State that the version is in; null when there is no such version."),
    reason: z.string().describe("One CamelCase word for programs."),
    message: z.string().describe("Why it was refused."),
    operator: z.string().optional().describe("Who acted."),
    said: z.string().optional().describe("What the acting person said."),
  }),
  example: {
    version: "appv-n04mj714o54k56",
    action: "release",
    state: "draft",
    reason: "IllegalTransition",
    message: "version appv-n04mj714o54k56 is draft; release needs passed",
  },
});
