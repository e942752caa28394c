import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { list } from "../store/list.ts";
import { conditionsText, PAGE_OPTIONS } from "../store/list-options.ts";
import { Review } from "../store/shapes.ts";
import { age } from "../text.ts";

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
    return list(await context.store(options), {
      path: "/reviews",
      query: { conditions },
      page: options,
      hint: "see opx review list --help",
      item: Review,
      head: ["version", "application", "number", "workspace", "state", "since", "steps"],
      row: (review) => [
        review.version_id,
        review.app_name,
        review.version_name,
        review.workspace,
        review.status,
        age(review.status_time, context.now()),
        stepsOf(review),
      ],
      none: "nothing waits for a review",
    });
  },
});

function stepsOf({ phase }: Review): string {
  return Object.entries(phase ?? {})
    .map(([step, { status, operator }]) => `${step} ${status}${operator ? ` by ${operator}` : ""}`)
    .join(", ");
}
