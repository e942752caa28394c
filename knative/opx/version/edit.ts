import { defineCommand, UsageError } from "../command.ts";
import { readPackage, uploadProgress } from "../package/read-package.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { versionPath } from "../store/paths.ts";
import { Done } from "../store/shapes.ts";
import { VERSION_ARGUMENT, versionHint } from "./argument.ts";

/** opx version edit */
export const versionEdit = defineCommand({
  name: "version edit",
  summary: "Change the description of a version, or the package of a draft.",
  arguments: [VERSION_ARGUMENT],
  options: {
    description: { type: "string", value: "TEXT", description: "what is new in this version" },
    package: { type: "string", value: "FILE", description: "package that takes the place of the draft's" },
    ...STORE_OPTIONS,
  },
  examples: [
    "version edit appv-x1y2z3 --description 'mends the start on ARM'",
    "version edit appv-x1y2z3 --package guestbook-2.1.0.tgz",
  ],
  async run({ arguments: [id = ""], options }, context) {
    const { description, package: file } = options;
    if (description === undefined && file === undefined)
      throw new UsageError("nothing to change; see opx version edit --help");
    const content = file === undefined ? {} : { package: await readPackage(file) };
    const body = { ...(description === undefined ? {} : { description }), ...content };
    const store = await context.store(options);
    const sent = uploadProgress(file ?? id, context.progress);
    await store.call({ method: "PATCH", path: versionPath(id), body, hint: versionHint(id), sent }, Done);
    return { json: { version_id: id, changed: true }, lines: [`${id}: changed`] };
  },
});
