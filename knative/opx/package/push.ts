import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { PACKAGE_ARGUMENT } from "./read-package.ts";
import { sendPackage } from "./send-package.ts";

/** opx package push */
export const packagePush = defineCommand({
  name: "package push",
  summary: "Upload a package: a new application with its first version, or another version of one.",
  arguments: [PACKAGE_ARGUMENT],
  options: {
    workspace: { type: "string", value: "NAME", description: "workspace that a new application belongs to" },
    app: { type: "string", value: "APP", description: "application that gets another version (default: a new one)" },
    ...STORE_OPTIONS,
  },
  examples: ["package push guestbook-2.1.0.tgz --workspace demo", "package push guestbook-2.2.0.tgz --app app-x1y2z3"],
  run: ({ arguments: [file = ""], options }, context) => sendPackage(context, { ...options, file }),
});
