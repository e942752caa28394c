import { type Command, defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { MESSAGE_OPTION } from "../store/message-option.ts";
import { VERSION_ARGUMENT } from "./argument.ts";
import { sendAct } from "./send-act.ts";

interface Act {
  readonly action: "submit" | "cancel" | "release" | "suspend" | "recover";
  readonly summary: string;
  readonly done: string;
}

const ACTS: readonly Act[] = [
  { action: "submit", summary: "Submit a draft, or one that was rejected, for review.", done: "submitted for review" },
  { action: "cancel", summary: "Take a submission back; the version is a draft again.", done: "a draft again" },
  { action: "release", summary: "Offer a version that passed its review in the store.", done: "offered in the store" },
  {
    action: "suspend",
    summary: "Take a version out of the store for a while.",
    done: "suspended; opx version recover puts it back",
  },
  { action: "recover", summary: "Put a suspended version back into the store.", done: "offered in the store again" },
];

/** What vendors and administrators do to a version: opx version submit, cancel, release, suspend, recover. */
export const versionActs: readonly Command[] = ACTS.map(({ action, summary, done }) =>
  defineCommand({
    name: `version ${action}`,
    summary,
    arguments: [VERSION_ARGUMENT],
    options: { ...MESSAGE_OPTION, ...STORE_OPTIONS },
    examples: [`version ${action} appv-x1y2z3`, `version ${action} appv-x1y2z3 --message 'as agreed on Monday'`],
    async run({ arguments: [version = ""], options }, context) {
      return sendAct(await context.store(options), { version, action, message: options.message, done });
    },
  }),
);
