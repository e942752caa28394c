import { checkPackage } from "../../shared/charts/package.ts";
import { sha256 } from "../../shared/digest.ts";
import type { DataOf } from "../../shared/event.ts";
import { PackageUploaded } from "../../shared/events/package.ts";
import type { VersionCreated } from "../../shared/events/version.ts";
import type { HttpAnswer } from "../../shared/http-function.ts";
import { subjectOf } from "../../shared/resource.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { answered, RestError } from "../../shared/rest/answers.ts";
import { workspaceOf } from "../../shared/rest/shapes.ts";
import { act } from "./acts.ts";
import { bodyOf, type Call, type Handler, isOn, textField } from "./call.ts";
import { baseAppInPath, versionInPath } from "./lookups.ts";

/** Packages above this are refused, whatever transports them. */
const MAX_PACKAGE_BYTES = 32 * 1024 * 1024;

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

/** Makes an application and its first version from a package, or only checks the package. */
export const createApp: Handler = async (call) => {
  const bytes = packageIn(textField(await bodyOf(call), "version_package"), "version_package");
  if (isOn(call, "validate")) return validated(call, bytes);
  const { app, version } = await upload(call, bytes, { workspace: call.params["workspace"] });
  return answered({ app_id: app, version_id: version });
};

/** Makes another version of an application from a package, or only checks the package. */
export const createVersion: Handler = async (call) => {
  const bytes = packageIn(textField(await bodyOf(call), "package"), "package");
  if (isOn(call, "validate")) return validated(call, bytes);
  const app = await baseAppInPath(call);
  const owner = { workspace: workspaceOf(app) || call.params["workspace"], app: app.metadata.name };
  return answered({ version_id: (await upload(call, bytes, owner)).version });
};

/** The package of a version, in base64. */
export const downloadPackage: Handler = async (call) => {
  const version = await versionInPath(call);
  const bytes = await bytesOf(call, version);
  const app = call.params["app"] ?? "";
  return answered({ app_id: app, version_id: version.metadata.name, package: Buffer.from(bytes).toString("base64") });
};

interface Owner {
  readonly workspace: string | undefined;
  readonly app?: string;
}

async function upload(
  call: Call,
  bytes: Uint8Array,
  { workspace, app }: Owner,
): Promise<DataOf<typeof VersionCreated>> {
  if (workspace === undefined) throw new RestError(400, "say in the path which workspace the application is for");
  const digest = sha256(bytes);
  await call.ports.blobs.put("uploads", digest, bytes);
  const data = { digest, workspace, ...(app === undefined ? {} : { app }) };
  const outcome = await act(call, PackageUploaded.of(subjectOf(HelmPackage, { name: digest }), data));
  return outcome.data as DataOf<typeof VersionCreated>;
}

function packageIn(text: string | undefined, field: string): Uint8Array {
  if (!text) throw new RestError(400, `${field} is missing: send the package in base64`);
  if (!BASE64.test(text)) throw new RestError(400, `${field} is no base64`);
  const bytes = Buffer.from(text, "base64");
  if (bytes.length <= MAX_PACKAGE_BYTES) return bytes;
  throw new RestError(413, `the package has ${bytes.length} bytes, at most ${MAX_PACKAGE_BYTES} are taken`);
}

/** What KubeSphere answers to `?validate=true`: 200 in both cases (§5.1). */
async function validated({ ports }: Call, bytes: Uint8Array): Promise<HttpAnswer> {
  const check = checkPackage(await ports.charts.readArchive(bytes));
  if (!check.ok) return answered({ error: check.message, error_details: { [check.reason]: check.message } });
  const { name, version, appVersion, description = "", home = "", icon = "" } = check.chart;
  const versionName = appVersion ? `${version} [${appVersion}]` : version;
  return answered({ name, version_name: versionName, description, url: home, icon });
}

async function bytesOf({ ports }: Call, { metadata, spec }: HelmApplicationVersion): Promise<Uint8Array> {
  const digest = spec.package === undefined ? undefined : spec.digest;
  const bytes = digest === undefined ? undefined : await ports.blobs.get("packages", digest, MAX_PACKAGE_BYTES);
  if (bytes) return bytes;
  throw new RestError(500, `download file failed: version ${metadata.name} has no package in the store`);
}
