import { VersionCancelled } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { act } from "../../shared/lifecycle/act.ts";
import { ACT_FUNCTION } from "../../shared/lifecycle/act-function.ts";

/** A submission is taken back. */
export default defineFunction({
  ...ACT_FUNCTION,
  on: VersionCancelled,
  summary: "Moves a version from submitted or passed back to draft.",
  decide: (world, event) => act("cancel", world, event),
});
