import * as z from "zod";
import { type Answer, UsageError } from "../command.ts";
import type { OpxContext } from "../context.ts";
import type { StoreValues } from "../store/address.ts";
import { appPath, workspacePath } from "../store/paths.ts";
import { PACKAGE_HINT, packageForm } from "./read-package.ts";

const Made = z.looseObject({ app_id: z.string().optional(), version_id: z.string() });

/** A package, and which application it becomes or joins. */
export interface PackageSending extends StoreValues {
  readonly file: string;
  readonly workspace: string | undefined;
  readonly app: string | undefined;
}

/** Uploads a package and gives the draft that it became. Throws `UsageError` where nobody says whose it is. */
export async function sendPackage(
  context: OpxContext,
  { file, workspace, app, ...at }: PackageSending,
): Promise<Answer> {
  if (workspace === undefined && app === undefined)
    throw new UsageError(
      "for which workspace? Give --workspace NAME; opx package push --app APP adds a version instead",
    );
  const content = await packageForm(file, context.progress);
  const store = await context.store(at);
  const of = app === undefined ? "/apps" : `${appPath(app)}/versions`;
  const path = workspace === undefined ? of : workspacePath(workspace) + of;
  const made = await store.call({ method: "POST", path, ...content, hint: PACKAGE_HINT }, Made);
  const { app_id = app ?? "", version_id } = made;
  const line = `${file}: draft ${version_id} of application ${app_id}; opx version submit ${version_id} has it reviewed`;
  return { json: { app_id, version_id }, lines: [line] };
}
