import { VersionApproved } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { act } from "../../shared/lifecycle/act.ts";
import { ACT_FUNCTION } from "../../shared/lifecycle/act-function.ts";

/** A submitted version passes its review. */
export default defineFunction({
  ...ACT_FUNCTION,
  on: VersionApproved,
  summary: "Moves a version from submitted to passed.",
  decide: (world, event) => act("pass", world, event),
});
