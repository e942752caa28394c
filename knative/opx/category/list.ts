import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { moreLines, PAGE_OPTIONS, pageQuery } from "../store/list-options.ts";
import { Category, listOf } from "../store/shapes.ts";
import { columns } from "../text.ts";
import { CATEGORY_HINT } from "./argument.ts";

const HEAD = ["id", "name", "apps", "description"];

/** opx category list */
export const categoryList = defineCommand({
  name: "category list",
  summary: "List the categories of the store with how many applications each has.",
  arguments: [],
  options: { ...PAGE_OPTIONS, ...STORE_OPTIONS },
  examples: ["category list", "category list --json"],
  async run({ options }, context) {
    const store = await context.store(options);
    const query = pageQuery(options);
    const json = await store.call({ method: "GET", path: "/categories", query, hint: CATEGORY_HINT }, listOf(Category));
    const rows = json.items.map((each) => [each.category_id, each.name, `${each.app_total ?? 0}`, each.description]);
    const lines = rows.length === 0 && json.total_count === 0 ? ["no categories"] : columns(HEAD, rows);
    return { json, lines: [...lines, ...moreLines(rows.length, json.total_count, options)] };
  },
});
