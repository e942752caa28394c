import { VersionDeleted } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { act } from "../../shared/lifecycle/act.ts";
import { ACT_FUNCTION } from "../../shared/lifecycle/act-function.ts";

/** A version goes for good. */
export default defineFunction({
  ...ACT_FUNCTION,
  on: VersionDeleted,
  summary: "Deletes a version that is not in the store.",
  decide: (world, event) => act("delete", world, event),
});
