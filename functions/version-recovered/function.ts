import { VersionRecovered } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { act } from "../../shared/lifecycle/act.ts";
import { ACT_FUNCTION } from "../../shared/lifecycle/act-function.ts";

/** A suspended version comes back into the store. */
export default defineFunction({
  ...ACT_FUNCTION,
  on: VersionRecovered,
  summary: "Moves a version from suspended back to active.",
  decide: (world, event) => act("recover", world, event),
});
