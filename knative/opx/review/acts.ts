import { ReviewStep } from "../../../shared/lifecycle/states.ts";
import { type Command, defineCommand, UsageError } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { MESSAGE_OPTION } from "../store/message-option.ts";
import { VERSION_ARGUMENT } from "../version/argument.ts";
import { sendAct } from "../version/send-act.ts";

interface Act {
  readonly name: "start" | "pass" | "reject";
  readonly action: "review" | "pass" | "reject";
  readonly summary: string;
  readonly done: string;
}

const ACTS: readonly Act[] = [
  { name: "start", action: "review", summary: "Say that you look at a submitted version.", done: "under your review" },
  {
    name: "pass",
    action: "pass",
    summary: "Let a submitted version, or one step of its review, pass.",
    done: "passed",
  },
  { name: "reject", action: "reject", summary: "Send a submitted version back to its vendor.", done: "rejected" },
];

const STEPS = ReviewStep.options.join(", ");

/** What reviewers do: opx review start, pass, reject. */
export const reviewActs: readonly Command[] = ACTS.map(({ name, action, summary, done }) =>
  defineCommand({
    name: `review ${name}`,
    summary,
    arguments: [VERSION_ARGUMENT],
    options: {
      step: { type: "string", value: "STEP", description: `step of the review: ${STEPS} (default: the next)` },
      ...MESSAGE_OPTION,
      ...STORE_OPTIONS,
    },
    examples: [`review ${name} appv-x1y2z3`, `review ${name} appv-x1y2z3 --step business --message 'licence is clear'`],
    async run({ arguments: [version = ""], options }, context) {
      const { step, message } = options;
      if (step !== undefined && !ReviewStep.safeParse(step).success)
        throw new UsageError(`--step ${step} is no step of a review; choose one of ${STEPS}`);
      const named = step === undefined ? done : `${done} (${step})`;
      return sendAct(await context.store(options), { version, action, message, step, done: named });
    },
  }),
);
