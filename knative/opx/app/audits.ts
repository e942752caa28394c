import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { auditTrail } from "../store/audit-trail.ts";
import { PAGE_OPTIONS } from "../store/list-options.ts";
import { appPath } from "../store/paths.ts";
import { APP_ARGUMENT, APP_HINT } from "./argument.ts";

/** opx app audits */
export const appAudits = defineCommand({
  name: "app audits",
  summary: "Show who did what to the versions of an application, newest first.",
  arguments: [APP_ARGUMENT],
  options: { ...PAGE_OPTIONS, ...STORE_OPTIONS },
  examples: ["app audits app-x1y2z3", "app audits app-x1y2z3 --limit 200 --json"],
  async run({ arguments: [id = ""], options }, context) {
    return auditTrail(await context.store(options), { path: appPath(id), hint: APP_HINT, page: options });
  },
});
