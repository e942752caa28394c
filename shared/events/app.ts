import * as z from "zod";
import { defineEvent } from "../event.ts";
import { AppState } from "../lifecycle/states.ts";

const AppAct = z.object({
  app: z.string().min(1).max(253).describe("HelmApplication name, without -store."),
  message: z.string().max(1024).optional().describe("What the acting person says."),
});
const act = { app: "app-300m50zn91nwz5", message: "the vendor asked for it" };

/** A store manager takes a whole application off the shelf. */
export const AppSuspended = defineEvent({
  type: "app.suspended",
  summary: "All active versions of an application are to be taken out of the store.",
  data: AppAct,
  example: act,
});

/** A store manager puts a whole application back. */
export const AppRecovered = defineEvent({
  type: "app.recovered",
  summary: "All suspended versions of an application are to be offered again.",
  data: AppAct,
  example: act,
});

/** Somebody deletes an application. */
export const AppDeleted = defineEvent({
  type: "app.deleted",
  summary: "An application without versions is to be deleted; deleting what is gone already succeeds.",
  data: AppAct,
  example: act,
});

/** An act on an application was refused. */
export const AppActionRefused = defineEvent({
  type: "app.action.refused",
  summary: "An act on an application is not allowed.",
  data: z.object({
    app: z.string().describe("HelmApplication name, without -store."),
    action: z.string().describe("What was asked for."),
    reason: z.string().describe("One CamelCase word for programs."),
    message: z.string().describe("Why it was refused."),
    operator: z.string().optional().describe("Who acted."),
  }),
  example: {
    app: "app-300m50zn91nwz5",
    action: "suspend",
    reason: "IllegalTransition",
    message: "application app-300m50zn91nwz5 is draft; suspend needs active",
  },
});

/** What follows for an application from its versions. */
export const AppChanged = defineEvent({
  type: "app.changed",
  summary: "What an application's state and latest version are after one of its versions moved.",
  data: z.object({
    app: z.string().describe("HelmApplication name."),
    state: AppState.nullable().describe("null when the application is gone."),
    latestVersion: z.string().describe('Version name, "" when there is none.'),
  }),
  example: { app: "app-300m50zn91nwz5", state: "active", latestVersion: "1.2.3 [7.0]" },
});
