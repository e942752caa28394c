import { VersionSubmitted } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { act } from "../../shared/lifecycle/act.ts";
import { ACT_FUNCTION } from "../../shared/lifecycle/act-function.ts";

/** A draft or rejected version goes to the reviewers. */
export default defineFunction({
  ...ACT_FUNCTION,
  on: VersionSubmitted,
  summary: "Moves a version from draft or rejected to submitted.",
  decide: (world, event) => act("submit", world, event),
});
