import type { Answer } from "../command.ts";
import type { StoreApi } from "../store/api.ts";
import { versionPath } from "../store/paths.ts";
import { Done } from "../store/shapes.ts";
import { versionHint } from "./argument.ts";

/** What somebody does to a version. */
export interface VersionAct {
  readonly version: string;
  readonly action: string;
  readonly message: string | undefined;
  readonly step?: string | undefined;
  /** What the version is then, for people. */
  readonly done: string;
}

/** Carries an act out; when it answers, the store has done it. */
export async function sendAct(store: StoreApi, { version, action, message, step, done }: VersionAct): Promise<Answer> {
  const body = { action, ...(message === undefined ? {} : { message }), ...(step === undefined ? {} : { step }) };
  const path = `${versionPath(version)}/action`;
  await store.call({ method: "POST", path, body, hint: versionHint(version) }, Done);
  const json = { version_id: version, action, ...(step === undefined ? {} : { step }) };
  return { json, lines: [`${version}: ${done}`] };
}
