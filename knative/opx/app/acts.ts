import { type Command, defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { MESSAGE_OPTION } from "../store/message-option.ts";
import { appPath } from "../store/paths.ts";
import { Done } from "../store/shapes.ts";
import { APP_ARGUMENT, APP_HINT } from "./argument.ts";

interface Act {
  readonly action: "suspend" | "recover";
  readonly summary: string;
  readonly done: string;
}

const ACTS: readonly Act[] = [
  {
    action: "suspend",
    summary: "Take all versions of an application out of the store for a while.",
    done: "suspended; its versions cannot be installed until opx app recover",
  },
  { action: "recover", summary: "Put all suspended versions back into the store.", done: "recovered" },
];

/** opx app suspend and recover. */
export const appActs: readonly Command[] = ACTS.map(({ action, summary, done }) =>
  defineCommand({
    name: `app ${action}`,
    summary,
    arguments: [APP_ARGUMENT],
    options: { ...MESSAGE_OPTION, ...STORE_OPTIONS },
    examples: [`app ${action} app-x1y2z3 --message 'see CVE-2026-1234'`],
    async run({ arguments: [id = ""], options }, context) {
      const { message } = options;
      const body = { action, ...(message === undefined ? {} : { message }) };
      const store = await context.store(options);
      await store.call({ method: "POST", path: `${appPath(id)}/action`, body, hint: APP_HINT }, Done);
      return { json: { app_id: id, action }, lines: [`${id}: ${done}`] };
    },
  }),
);
