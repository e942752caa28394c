import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { versionPath } from "../store/paths.ts";
import { Version } from "../store/shapes.ts";
import { fields } from "../text.ts";
import { NO_VERSION_HINT, VERSION_ARGUMENT } from "./argument.ts";

/** opx version get */
export const versionGet = defineCommand({
  name: "version get",
  summary: "Show one version.",
  arguments: [VERSION_ARGUMENT],
  options: STORE_OPTIONS,
  examples: ["version get appv-x1y2z3", "version get appv-x1y2z3 --json"],
  async run({ arguments: [id = ""], options }, context) {
    const store = await context.store(options);
    const version = await store.call({ method: "GET", path: versionPath(id), hint: NO_VERSION_HINT }, Version);
    const lines = fields([
      ["id", version.version_id],
      ["version", version.name],
      ["state", version.status],
      ["since", version.status_time],
      ["application", version.app_id],
      ["package", version.package_name],
      ["owner", version.owner],
      ["description", version.description],
      ["home", version.home],
      ["created", version.create_time],
    ]);
    return { json: version, lines };
  },
});
