import { AppSuspended } from "../../shared/events/app.ts";
import { defineFunction } from "../../shared/function.ts";
import { APP_ACT_FUNCTION, actOnVersions } from "../../shared/lifecycle/app-act.ts";

/** An application leaves the store with all its versions. */
export default defineFunction({
  ...APP_ACT_FUNCTION,
  on: AppSuspended,
  summary: "Suspends all versions of an application that can be.",
  decide: (world, event) => actOnVersions("suspend", world, event),
});
