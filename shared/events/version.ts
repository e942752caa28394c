import * as z from "zod";
import { defineEvent } from "../event.ts";
import { VersionState } from "../lifecycle/states.ts";

const Version = { version: z.string().min(1).max(253).describe("HelmApplicationVersion name.") };
const Act = z.object({ ...Version, message: z.string().max(1024).optional().describe("What the acting person says.") });
const act = { version: "appv-n04mj714o54k56", message: "ready" };

/** A vendor hands a draft in for review. */
export const VersionSubmitted = defineEvent({
  type: "version.submitted",
  summary: "A vendor asks for a version to be reviewed.",
  data: Act,
  example: act,
});

/** A reviewer accepts. */
export const VersionApproved = defineEvent({
  type: "version.approved",
  summary: "A reviewer accepts a submitted version.",
  data: Act,
  example: act,
});

/** A reviewer refuses. */
export const VersionRejected = defineEvent({
  type: "version.rejected",
  summary: "A reviewer turns a submitted version down.",
  data: Act,
  example: { ...act, message: "no resource limits" },
});

/** A passed version goes into the store. */
export const VersionReleased = defineEvent({
  type: "version.released",
  summary: "A passed version is to be offered in the store.",
  data: Act,
  example: act,
});

/** A version exists that did not before. */
export const VersionCreated = defineEvent({
  type: "version.created",
  summary: "A version of an application exists as a draft.",
  data: z.object({ ...Version, app: z.string(), package: z.string().optional() }),
  example: { version: "appv-n04mj714o54k56", app: "app-300m50zn91nwz5" },
});

/** An act was accepted. */
export const VersionStateChanged = defineEvent({
  type: "version.state.changed",
  summary: "A version moved from one state to another; the application's state may follow.",
  data: z.object({
    ...Version,
    app: z.string().describe("HelmApplication name, without -store."),
    from: VersionState.nullable().describe("null when the version is new."),
    to: VersionState,
    operator: z.string().optional(),
    message: z.string().optional(),
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
    action: z.string(),
    state: z.string().nullable(),
    reason: z.string(),
    message: z.string(),
  }),
  example: {
    version: "appv-n04mj714o54k56",
    action: "release",
    state: "draft",
    reason: "IllegalTransition",
    message: "version appv-n04mj714o54k56 is draft; release needs passed",
  },
});
