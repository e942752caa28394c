import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { categoryPath } from "../store/paths.ts";
import { Done } from "../store/shapes.ts";
import { CATEGORY_ARGUMENT } from "./argument.ts";

/** opx category delete */
export const categoryDelete = defineCommand({
  name: "category delete",
  summary: "Delete a category that no application belongs to.",
  arguments: [CATEGORY_ARGUMENT],
  options: STORE_OPTIONS,
  examples: ["category delete ctg-a1b2c3"],
  async run({ arguments: [id = ""], options }, context) {
    const store = await context.store(options);
    const hint = `opx app list --category ${id} shows its applications`;
    await store.call({ method: "DELETE", path: categoryPath(id), hint }, Done);
    return { json: { category_id: id, deleted: true }, lines: [`${id}: deleted`] };
  },
});
