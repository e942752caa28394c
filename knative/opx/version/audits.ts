import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { auditTrail } from "../store/audit-trail.ts";
import { PAGE_OPTIONS } from "../store/list-options.ts";
import { versionPath } from "../store/paths.ts";
import { NO_VERSION_HINT, VERSION_ARGUMENT } from "./argument.ts";

/** opx version audits */
export const versionAudits = defineCommand({
  name: "version audits",
  summary: "Show who did what to a version, newest first.",
  arguments: [VERSION_ARGUMENT],
  options: { ...PAGE_OPTIONS, ...STORE_OPTIONS },
  examples: ["version audits appv-x1y2z3", "version audits appv-x1y2z3 --json"],
  async run({ arguments: [id = ""], options }, context) {
    return auditTrail(await context.store(options), { path: versionPath(id), hint: NO_VERSION_HINT, page: options });
  },
});
