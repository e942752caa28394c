import * as z from "zod";
import { defineEvent } from "../event.ts";
import { AppState } from "../lifecycle/states.ts";

/** What follows for an application from its versions. */
export const AppChanged = defineEvent({
  type: "app.changed",
  summary: "What an application's state and latest version are after one of its versions moved.",
  data: z.object({
    app: z.string().describe("HelmApplication name."),
    state: AppState,
    latestVersion: z.string().describe('Version name, "" when there is none.'),
  }),
  example: { app: "app-300m50zn91nwz5", state: "active", latestVersion: "1.2.3 [7.0]" },
});
