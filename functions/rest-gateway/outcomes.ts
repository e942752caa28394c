import { answered, RestError } from "../../shared/rest/answers.ts";
import { accepted, outcomeOf } from "./acts.ts";
import { type Handler, param } from "./call.ts";

/** What became of one's own act: its outcome, its refusal as the act would have been answered, or 404 so far. */
export const describeOutcome: Handler = async (call) => {
  const id = param(call, "event");
  const outcome = await outcomeOf(call, id);
  if (outcome?.operator !== call.user.name) {
    throw new RestError(404, `nothing has followed from event ${id} of yours in the last half hour`);
  }
  const { type, subject = "", data } = accepted(outcome);
  return answered({ type, subject, data });
};
