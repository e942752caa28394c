import { defineCommand, UsageError } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { categoryPath } from "../store/paths.ts";
import { Done } from "../store/shapes.ts";
import { CATEGORY_ARGUMENT, CATEGORY_HINT, DESCRIPTION_OPTION } from "./argument.ts";

/** opx category edit */
export const categoryEdit = defineCommand({
  name: "category edit",
  summary: "Change name or description of a category.",
  arguments: [CATEGORY_ARGUMENT],
  options: {
    name: { type: "string", value: "TEXT", description: "name that people see" },
    ...DESCRIPTION_OPTION,
    ...STORE_OPTIONS,
  },
  examples: ["category edit ctg-a1b2c3 --name Databases"],
  async run({ arguments: [id = ""], options }, context) {
    const { name, description } = options;
    if (name === undefined && description === undefined)
      throw new UsageError("nothing to change; give --name or --description");
    const body = { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) };
    const store = await context.store(options);
    await store.call({ method: "PATCH", path: categoryPath(id), body, hint: CATEGORY_HINT }, Done);
    return { json: { category_id: id, changed: true }, lines: [`${id}: changed`] };
  },
});
