import { STORE_REPO } from "../../../shared/resources/labels.ts";
import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { listApps } from "../store/list-apps.ts";
import { conditionsText, PAGE_OPTIONS } from "../store/list-options.ts";

/** opx search */
export const search = defineCommand({
  name: "search",
  summary: "Find applications of the store by words.",
  arguments: [{ name: "TEXT", description: "what is looked for" }],
  options: {
    category: { type: "string", value: "ID", description: "only of this category" },
    ...PAGE_OPTIONS,
    ...STORE_OPTIONS,
  },
  examples: ["search nginx", "search nginx --category ctg-a1b2c3 --json"],
  async run({ arguments: [keyword = ""], options }, context) {
    const conditions = conditionsText({ repo_id: STORE_REPO, keyword, category_id: options.category });
    return listApps(await context.store(options), { path: "/apps", conditions, page: options });
  },
});
