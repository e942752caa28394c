import { referenceOf } from "./references.ts";

/** What a package URL says of a chart. */
export interface PackageUrl {
  readonly type: string;
  readonly name: string;
  readonly version?: string;
  readonly digest?: string;
  /** Repository that it names, host/path. */
  readonly address?: string;
}

/** Reads `pkg:<type>/[<namespace>/]<name>[@<version>][?<qualifiers>]`; `undefined` where it is none. */
export function packageUrlOf(text: string): PackageUrl | undefined {
  const [, type, path = "", query = ""] = /^pkg:\/*([a-z0-9.+-]+)\/([^?#]+)(?:\?([^#]*))?/i.exec(text) ?? [];
  if (type === undefined) return undefined;
  const [full = "", after = ""] = path.split("@", 2).map(decoded);
  const name = full.split("/").at(-1) ?? "";
  const qualifiers = new URLSearchParams(query);
  const isDigest = after.startsWith("sha256:");
  const version = qualifiers.get("tag") ?? (isDigest ? "" : after);
  const digest = isDigest ? after : qualifiers.get("checksum")?.split(",")[0];
  const place = qualifiers.get("repository_url") ?? qualifiers.get("download_url");
  return {
    type: type.toLowerCase(),
    name,
    ...(version === "" ? {} : { version }),
    ...(digest === undefined ? {} : { digest }),
    ...(place === null ? {} : { address: referenceOf(place).address }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
