import { defineCommand, UsageError } from "../command.ts";
import type { OpxContext } from "../context.ts";
import { packageForm } from "../package/read-package.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import type { StoreRequest } from "../store/api.ts";
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
    const content = await changes(options, context);
    const store = await context.store(options);
    await store.call({ method: "PATCH", path: versionPath(id), ...content, hint: versionHint(id) }, Done);
    return { json: { version_id: id, changed: true }, lines: [`${id}: changed`] };
  },
});

interface Wanted {
  readonly description: string | undefined;
  readonly package: string | undefined;
}

async function changes(
  { description, package: file }: Wanted,
  { progress }: OpxContext,
): Promise<Pick<StoreRequest, "body" | "form" | "sent">> {
  if (file !== undefined) {
    const content = await packageForm(file, progress);
    if (description !== undefined) content.form.set("description", description);
    return content;
  }
  if (description !== undefined) return { body: { description } };
  throw new UsageError("nothing to change; see opx version edit --help");
}
