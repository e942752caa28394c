import { VersionReviewStarted } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { act } from "../../shared/lifecycle/act.ts";
import { REVIEW_FUNCTION } from "../../shared/lifecycle/act-function.ts";

/** A reviewer takes a step of the review. */
export default defineFunction({
  ...REVIEW_FUNCTION,
  on: VersionReviewStarted,
  summary: "Says on a submitted version who is looking at it.",
  decide: (world, event) => act("review", world, event),
});
