import { AppRecovered } from "../../shared/events/app.ts";
import { defineFunction } from "../../shared/function.ts";
import { APP_ACT_FUNCTION, actOnVersions } from "../../shared/lifecycle/app-act.ts";

/** An application comes back into the store. */
export default defineFunction({
  ...APP_ACT_FUNCTION,
  on: AppRecovered,
  summary: "Recovers all versions of an application that can be.",
  decide: (world, event) => actOnVersions("recover", world, event),
});
