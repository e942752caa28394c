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

/** Somebody edits what an application shows. */
export const AppEdited = defineEvent({
  type: "app.edited",
  summary: "What an application, or the store's copy of it, shows is to be edited; what is left out stays.",
  data: z.object({
    app: z.string().min(1).max(253).describe("HelmApplication name: exactly the copy that is named."),
    name: z.string().max(253).optional().describe("Name to show."),
    description: z.string().max(8192).optional().describe("What the application does; kept up to 512 bytes."),
    abstraction: z.string().max(8192).optional().describe("Introduction in one line; kept up to 512 bytes."),
    home: z.string().max(2048).optional().describe("Home page."),
    category: z.string().max(253).optional().describe('HelmCategory name; "" takes it out of its category.'),
    icon: z.string().max(2048).optional().describe('Address of a picture, or id of an attachment; "" takes it away.'),
    addScreenshot: z.string().max(64).optional().describe("Id of an attachment to show besides the others."),
    removeScreenshot: z.int().min(0).max(5).optional().describe("Place of the screenshot to take away, from 0."),
  }),
  example: { app: "app-300m50zn91nwz5-store", category: "ctg-uf9t4fb9ashy2y", abstraction: "A guestbook" },
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
  summary: "What an application's state and latest version are after one of its versions moved, or it was edited.",
  data: z.object({
    app: z.string().describe("HelmApplication name."),
    state: AppState.nullable().describe("null when the application is gone."),
    latestVersion: z.string().describe('Version name, "" when there is none.'),
  }),
  example: { app: "app-300m50zn91nwz5", state: "active", latestVersion: "1.2.3 [7.0]" },
});
