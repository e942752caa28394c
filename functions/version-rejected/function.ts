import { VersionRejected } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { act } from "../../shared/lifecycle/act.ts";
import { REVIEW_FUNCTION } from "../../shared/lifecycle/act-function.ts";

/** A submitted version is turned down. */
export default defineFunction({
  ...REVIEW_FUNCTION,
  on: VersionRejected,
  summary: "Moves a version from submitted to rejected.",
  decide: (world, event) => act("reject", world, event),
});
