/** A place in an OCI registry, read from `oci://host[:port]/repository[:tag][@digest]`. */
export interface OciReference {
  /** Host with its port where that is not the usual one, in lower case. */
  readonly host: string;
  /** Path of the repository, "" where the reference names a whole registry. */
  readonly repository: string;
  readonly tag?: string;
  /** `sha256:<64 hex digits>` of a manifest. */
  readonly digest?: string;
}

/** A reference that was read, or why it cannot be. */
export type OciReferenceResult =
  | { readonly ok: true; readonly reference: OciReference }
  | { readonly ok: false; readonly message: string };

/** The grammar of the OCI distribution specification; registries refuse every other name. */
const REPOSITORY = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const PARTS = /^oci:\/\/([^/?#]+)\/*([^?#]*)$/i;
const NAME = /^(.*?)(?::([^:@/]*))?(?:@(.*))?$/;
const MAX_LENGTH = 2048;

/** Reads an `oci://` address. User names and passwords inside it are refused: they belong into a secret. */
export function parseOciReference(text: string): OciReferenceResult {
  const [, authority = "", rest = ""] = (text.length <= MAX_LENGTH && PARTS.exec(text)) || [];
  const url = URL.parse(`https://${authority}`);
  if (!url) return refused("it is no address of the form oci://host/path");
  if (url.username || url.password) return refused("it carries credentials: put them into the repository's secret");
  const [, repository = "", tag, digest] = NAME.exec(rest.replace(/\/+$/, "")) ?? [];
  const problem = problemOf({ repository, tag, digest });
  if (problem) return refused(problem);
  const found = { ...(tag === undefined ? {} : { tag }), ...(digest === undefined ? {} : { digest }) };
  return { ok: true, reference: { host: url.host, repository, ...found } };
}

interface NameParts {
  readonly repository: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

function problemOf({ repository, tag, digest }: NameParts): string | undefined {
  if (repository !== "" && !isOciRepository(repository)) {
    return `"${repository.slice(0, 100)}" is no name of an OCI repository (a-z 0-9 . _ - between slashes)`;
  }
  if (tag !== undefined && !TAG.test(tag)) return `"${tag.slice(0, 100)}" is no OCI tag`;
  if (digest !== undefined && !isSha256(digest)) return "its digest is no sha256:<64 hexadecimal digits>";
  return undefined;
}

/** The `oci://` address of a reference, as `parseOciReference` reads it. */
export function formatOciReference({ host, repository, tag, digest }: OciReference): string {
  return `oci://${host}/${repository}${tag === undefined ? "" : `:${tag}`}${digest === undefined ? "" : `@${digest}`}`;
}

/**
 * The address of a version to fetch it from: its first, as Helm does; of a version in a registry the one by digest that
 * follows, because the tag may have been pushed again since.
 */
export function steadyUrl([first, second]: readonly string[]): string | undefined {
  const [byTag, byDigest] = [parseOciReference(first ?? ""), parseOciReference(second ?? "")];
  if (!byTag.ok || !byDigest.ok || byDigest.reference.digest === undefined) return first;
  const { host, repository } = byDigest.reference;
  return byTag.reference.host === host && byTag.reference.repository === repository ? second : first;
}

/** Whether registries can have a repository of this name. */
export function isOciRepository(name: string): boolean {
  return name.length <= 255 && REPOSITORY.test(name);
}

/** Whether a text is a digest of the only algorithm that charts are published with. */
export function isSha256(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

/** The tag of a chart version: a tag has no `+`, so Helm writes `_` in its place. */
export function tagOfVersion(version: string): string {
  return version.replaceAll("+", "_");
}

/** The chart version that Helm reads from a tag. */
export function versionOfTag(tag: string): string {
  return tag.replaceAll("_", "+");
}

function refused(message: string): OciReferenceResult {
  return { ok: false, message };
}
