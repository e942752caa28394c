import { VersionApproved } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { act } from "../../shared/lifecycle/act.ts";
import { REVIEW_FUNCTION } from "../../shared/lifecycle/act-function.ts";

/** A reviewer is content. */
export default defineFunction({
  ...REVIEW_FUNCTION,
  on: VersionApproved,
  summary: "Passes a step of a version's review, and with the last one the version.",
  decide: (world, event) => act("pass", world, event),
});
