import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { list } from "../store/list.ts";
import { PAGE_OPTIONS } from "../store/list-options.ts";
import { Category } from "../store/shapes.ts";
import { CATEGORY_HINT } from "./argument.ts";

/** opx category list */
export const categoryList = defineCommand({
  name: "category list",
  summary: "List the categories of the store with how many applications each has.",
  arguments: [],
  options: { ...PAGE_OPTIONS, ...STORE_OPTIONS },
  examples: ["category list", "category list --json"],
  async run({ options }, context) {
    return list(await context.store(options), {
      path: "/categories",
      page: options,
      hint: CATEGORY_HINT,
      item: Category,
      head: ["id", "name", "apps", "description"],
      row: ({ category_id, name, app_total, description }) => [category_id, name, `${app_total ?? 0}`, description],
      none: "no categories",
    });
  },
});
