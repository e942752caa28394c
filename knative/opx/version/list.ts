import { APP_ARGUMENT, APP_HINT } from "../app/argument.ts";
import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { conditionsText, moreLines, PAGE_OPTIONS, pageQuery } from "../store/list-options.ts";
import { appPath } from "../store/paths.ts";
import { listOf, Version } from "../store/shapes.ts";
import { age, columns } from "../text.ts";

const HEAD = ["id", "version", "state", "since", "owner"];

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
    const query = { ...pageQuery(options), conditions, reverse: "true" };
    const store = await context.store(options);
    const path = `${appPath(app)}/versions`;
    const json = await store.call({ method: "GET", path, query, hint: APP_HINT }, listOf(Version));
    const rows = json.items.map((each) => [
      each.version_id,
      each.name,
      each.status,
      age(each.status_time, context.now()),
      each.owner,
    ]);
    const lines = rows.length === 0 && json.total_count === 0 ? ["no versions"] : columns(HEAD, rows);
    return { json, lines: [...lines, ...moreLines(rows.length, json.total_count, options)] };
  },
});
