import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { conditionsText, moreLines, PAGE_OPTIONS, pageQuery } from "../store/list-options.ts";
import { listOf, Review } from "../store/shapes.ts";
import { age, columns } from "../text.ts";

const HEAD = ["version", "application", "number", "workspace", "state", "since", "steps"];

/** opx review list */
export const reviewList = defineCommand({
  name: "review list",
  summary: "List versions that wait for a review, the longest waiting first.",
  arguments: [],
  options: {
    state: { type: "string", value: "STATE", description: "versions in these states, or all (default: submitted)" },
    keyword: { type: "string", value: "TEXT", description: "only of charts with this in their name" },
    ...PAGE_OPTIONS,
    ...STORE_OPTIONS,
  },
  examples: ["review list", "review list --state 'passed|rejected' --json"],
  async run({ options }, context) {
    const { state = "submitted", keyword } = options;
    const conditions = conditionsText({ status: state === "all" ? undefined : state, keyword });
    const query = { ...pageQuery(options), conditions };
    const store = await context.store(options);
    const hint = "see opx review list --help";
    const json = await store.call({ method: "GET", path: "/reviews", query, hint }, listOf(Review));
    const rows = json.items.map((each) => [
      each.version_id,
      each.app_name,
      each.version_name,
      each.workspace,
      each.status,
      age(each.status_time, context.now()),
      stepsOf(each),
    ]);
    const lines = rows.length === 0 && json.total_count === 0 ? ["nothing waits for a review"] : columns(HEAD, rows);
    return { json, lines: [...lines, ...moreLines(rows.length, json.total_count, options)] };
  },
});

function stepsOf({ phase }: Review): string {
  return Object.entries(phase ?? {})
    .map(([step, { status, operator }]) => `${step} ${status}${operator ? ` by ${operator}` : ""}`)
    .join(", ");
}
