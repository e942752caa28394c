import * as z from "zod";
import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { CATEGORY_HINT, DESCRIPTION_OPTION } from "./argument.ts";

const Made = z.looseObject({ category_id: z.string() });

/** opx category create */
export const categoryCreate = defineCommand({
  name: "category create",
  summary: "Make a category that applications can belong to.",
  arguments: [{ name: "NAME", description: "name that people see" }],
  options: { ...DESCRIPTION_OPTION, ...STORE_OPTIONS },
  examples: ["category create Databases --description 'what keeps data'"],
  async run({ arguments: [name = ""], options }, context) {
    const { description } = options;
    const body = { name, ...(description === undefined ? {} : { description }) };
    const store = await context.store(options);
    const json = await store.call({ method: "POST", path: "/categories", body, hint: CATEGORY_HINT }, Made);
    return { json, lines: [`${json.category_id}: made for ${name}`] };
  },
});
