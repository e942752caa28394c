import * as z from "zod";
import { defineCommand, UsageError } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { appPath, workspacePath } from "../store/paths.ts";
import { PACKAGE_ARGUMENT, PACKAGE_HINT, readPackage, uploadProgress } from "./read-package.ts";

const Made = z.looseObject({ app_id: z.string().optional(), version_id: z.string() });

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
  async run({ arguments: [file = ""], options }, context) {
    const { workspace, app } = options;
    if (workspace === undefined && app === undefined)
      throw new UsageError("for which workspace? Give --workspace NAME, or --app APP for another version");
    const content = await readPackage(file);
    const store = await context.store(options);
    const of = app === undefined ? "/apps" : `${appPath(app)}/versions`;
    const path = workspace === undefined ? of : workspacePath(workspace) + of;
    const body = app === undefined ? { version_package: content, version_type: "helm" } : { package: content };
    const sent = uploadProgress(file, context.progress);
    const made = await store.call({ method: "POST", path, body, hint: PACKAGE_HINT, sent }, Made);
    const { app_id = app ?? "", version_id } = made;
    const next = `opx version submit ${version_id}`;
    return {
      json: { app_id, version_id },
      lines: [`${file}: draft ${version_id} of application ${app_id}; ${next} has it reviewed`],
    };
  },
});
