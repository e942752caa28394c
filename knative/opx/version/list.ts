import { APP_ARGUMENT, APP_HINT } from "../app/argument.ts";
import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { list } from "../store/list.ts";
import { conditionsText, PAGE_OPTIONS } from "../store/list-options.ts";
import { appPath } from "../store/paths.ts";
import { Version } from "../store/shapes.ts";
import { age } from "../text.ts";

/** opx version list */
export const versionList = defineCommand({
  name: "version list",
  summary: "List the versions of an application, newest first.",
  arguments: [APP_ARGUMENT],
  options: {
    state: { type: "string", value: "STATE", description: "only in this state, or several as draft|rejected" },
    keyword: { type: "string", value: "TEXT", description: "only with this in their number" },
    ...PAGE_OPTIONS,
    ...STORE_OPTIONS,
  },
  examples: ["version list app-x1y2z3", "version list app-x1y2z3 --state 'draft|rejected' --json"],
  async run({ arguments: [app = ""], options }, context) {
    const conditions = conditionsText({ status: options.state, keyword: options.keyword });
    return list(await context.store(options), {
      path: `${appPath(app)}/versions`,
      query: { conditions, reverse: "true" },
      page: options,
      hint: APP_HINT,
      item: Version,
      head: ["id", "version", "state", "since", "owner"],
      row: ({ version_id, name, status, status_time, owner }) => [
        version_id,
        name,
        status,
        age(status_time, context.now()),
        owner,
      ],
      none: "no versions",
    });
  },
});
