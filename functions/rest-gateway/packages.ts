import { packageFiles } from "../../shared/charts/package-files.ts";
import { reportPackage } from "../../shared/charts/package-report.ts";
import { validatedPackage } from "../../shared/charts/validated-package.ts";
import type { DataOf } from "../../shared/event.ts";
import { PackageReplaced, PackageUploaded } from "../../shared/events/package.ts";
import { type VersionCreated, VersionEdited } from "../../shared/events/version.ts";
import type { HttpAnswer } from "../../shared/http-function.ts";
import { isFromRepository } from "../../shared/lifecycle/act.ts";
import { MAX_PACKAGE_BYTES } from "../../shared/lifecycle/uploaded-package.ts";
import { present } from "../../shared/present.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { answered, RestError, SUCCESS } from "../../shared/rest/answers.ts";
import { workspaceOf } from "../../shared/rest/shapes.ts";
import { act } from "./acts.ts";
import { giveIcon } from "./app-edits.ts";
import { type Call, type Handler, isOn, textField } from "./call.ts";
import { baseAppInPath, versionInPath } from "./lookups.ts";
import { heldPackage, missing, storedPackage } from "./package-body.ts";
import { repositoryPackage } from "./repository-charts.ts";

/** Makes an application and its first version from a package, or only checks the package. */
export const createApp: Handler = async (call) => {
  if (isOn(call, "validate")) return validated(call, "version_package");
  const { made, fields } = await upload(call, "version_package", { workspace: call.params["workspace"] });
  const icon = textField(fields, "icon") ?? "";
  if (icon !== "") await giveIcon(call, made.app, icon);
  return answered({ app_id: made.app, version_id: made.version });
};

/** Makes another version of an application from a package, or only checks the package. */
export const createVersion: Handler = async (call) => {
  if (isOn(call, "validate")) return validated(call, "package");
  const app = await baseAppInPath(call);
  const owner = { workspace: workspaceOf(app) || call.params["workspace"], app: app.metadata.name };
  return answered({ version_id: (await upload(call, "package", owner)).made.version });
};

/** Puts another package into a draft, renames or describes a version: what the body leaves out stays (§6.1). */
export const modifyVersion: Handler = async (call) => {
  const { metadata } = await versionInPath(call);
  const version = metadata.name;
  const subject = subjectOf(HelmApplicationVersion, { name: version });
  const { fields, taken: digest, filename } = await storedPackage(call, "package");
  const edit = present({ name: textField(fields, "name") || undefined, description: textField(fields, "description") });
  if (digest) await act(call, PackageReplaced.of(subject, { version, digest, ...present({ filename }) }));
  if (Object.keys(edit).length > 0) await act(call, VersionEdited.of(subject, { version, ...edit }));
  return answered(SUCCESS);
};

/** The package of a version, in base64. */
export const downloadPackage: Handler = async (call) => {
  const version = await versionInPath(call);
  const bytes = await bytesOf(call, version);
  if (!bytes) throw new RestError(500, `download file failed: ${withoutPackage(version)}`);
  const app = call.params["app"] ?? "";
  return answered({ app_id: app, version_id: version.metadata.name, package: Buffer.from(bytes).toString("base64") });
};

/** Files of a version's package in base64, all or those that `?files=` names. */
export const listFiles: Handler = async (call) => {
  const version = await versionInPath(call);
  const bytes = await bytesOf(call, version);
  if (!bytes) throw new RestError(404, withoutPackage(version));
  const names = call.request.query.get("files")?.split(",").filter(Boolean);
  const read = await packageFiles(bytes, names);
  if (!read.ok) throw new RestError(400, read.message);
  const absent = names?.find((name) => !read.files.has(name));
  if (absent !== undefined) throw new RestError(404, `the package of ${version.metadata.name} holds no file ${absent}`);
  const files = [...read.files].map(([path, content]) => [path, Buffer.from(content).toString("base64")] as const);
  return answered({ version_id: version.metadata.name, files: Object.fromEntries(files) });
};

interface Owner {
  readonly workspace: string | undefined;
  readonly app?: string;
}

interface Uploaded {
  readonly made: DataOf<typeof VersionCreated>;
  readonly fields: Readonly<Record<string, unknown>>;
}

async function upload(call: Call, field: string, { workspace, app }: Owner): Promise<Uploaded> {
  if (workspace === undefined) throw new RestError(400, "say in the path which workspace the application is for");
  const { taken: digest = missing(field), filename, fields } = await storedPackage(call, field);
  const data = { digest, workspace, ...present({ app, filename }) };
  const outcome = await act(call, PackageUploaded.of(subjectOf(HelmPackage, { name: digest }), data));
  return { made: outcome.data as DataOf<typeof VersionCreated>, fields };
}

/** What KubeSphere answers to `?validate=true`: 200 in both cases (§5.1). */
async function validated(call: Call, field: string): Promise<HttpAnswer> {
  const bytes = await heldPackage(call, field);
  return answered(validatedPackage(await reportPackage(await call.ports.charts.readArchive(bytes))));
}

async function bytesOf(call: Call, version: HelmApplicationVersion): Promise<Uint8Array | undefined> {
  if (isFromRepository(version)) return repositoryPackage(call, version);
  const { spec } = version;
  if (spec.package === undefined || spec.digest === undefined) return undefined;
  return call.ports.blobs.get("packages", spec.digest, MAX_PACKAGE_BYTES);
}

function withoutPackage({ metadata }: HelmApplicationVersion): string {
  return `version ${metadata.name} has no package in the store`;
}
