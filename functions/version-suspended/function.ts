import { VersionSuspended } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { act } from "../../shared/lifecycle/act.ts";
import { ACT_FUNCTION } from "../../shared/lifecycle/act-function.ts";

/** A version leaves the store for a while. */
export default defineFunction({
  ...ACT_FUNCTION,
  on: VersionSuspended,
  summary: "Moves a version from active to suspended.",
  decide: (world, event) => act("suspend", world, event),
});
