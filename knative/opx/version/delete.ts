import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { versionPath } from "../store/paths.ts";
import { Done } from "../store/shapes.ts";
import { VERSION_ARGUMENT, versionHint } from "./argument.ts";

/** opx version delete */
export const versionDelete = defineCommand({
  name: "version delete",
  summary: "Delete a version that is not offered and not under review.",
  arguments: [VERSION_ARGUMENT],
  options: STORE_OPTIONS,
  examples: ["version delete appv-x1y2z3"],
  async run({ arguments: [id = ""], options }, context) {
    const store = await context.store(options);
    await store.call({ method: "DELETE", path: versionPath(id), hint: versionHint(id) }, Done);
    return { json: { version_id: id, deleted: true }, lines: [`${id}: deleted`] };
  },
});
