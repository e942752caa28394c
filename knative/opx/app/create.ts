import { defineCommand } from "../command.ts";
import { PACKAGE_ARGUMENT } from "../package/read-package.ts";
import { sendPackage } from "../package/send-package.ts";
import { STORE_OPTIONS } from "../store/address.ts";

/** opx app create */
export const appCreate = defineCommand({
  name: "app create",
  summary: "Make an application and its first version from a package.",
  arguments: [PACKAGE_ARGUMENT],
  options: {
    workspace: { type: "string", value: "NAME", description: "workspace that it belongs to" },
    ...STORE_OPTIONS,
  },
  examples: ["app create guestbook-2.1.0.tgz --workspace demo"],
  run: ({ arguments: [file = ""], options }, context) => sendPackage(context, { ...options, file, app: undefined }),
});
