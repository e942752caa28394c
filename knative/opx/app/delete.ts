import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { appPath } from "../store/paths.ts";
import { Done } from "../store/shapes.ts";
import { APP_ARGUMENT } from "./argument.ts";

/** opx app delete */
export const appDelete = defineCommand({
  name: "app delete",
  summary: "Delete an application that has no versions any more.",
  arguments: [APP_ARGUMENT],
  options: STORE_OPTIONS,
  examples: ["app delete app-x1y2z3"],
  async run({ arguments: [id = ""], options }, context) {
    const store = await context.store(options);
    const hint = `see opx version list ${id}`;
    await store.call({ method: "DELETE", path: appPath(id), hint }, Done);
    return { json: { app_id: id, deleted: true }, lines: [`${id}: deleted`] };
  },
});
