/** What a resource URL names; `namespace` is empty for cluster scope and for all namespaces together. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly plural: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** The old `/watch/` form of the path. */
  readonly watch: boolean;
}

const namespaceParts = new Set(["status", "finalize"]);

/** Reads `/api/v1/...` and `/apis/<group>/<version>/...`; undefined for every other path. */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const parts = decodeParts(path);
  if (parts === undefined) return undefined;
  const start = groupVersion(parts);
  if (start === undefined) return undefined;
  const watch = start.rest[0] === "watch" && start.rest.length > 1;
  const place = placeIn(watch ? start.rest.slice(1) : start.rest);
  if (place === undefined) return undefined;
  return { group: start.group, version: start.version, ...place, watch };
}

function decodeParts(path: string): readonly string[] | undefined {
  try {
    const split = path.split("/").slice(1);
    const parts = path.includes("%") ? split.map(decodeURIComponent) : split;
    if (parts.at(-1) === "") parts.pop();
    return parts.includes("") ? undefined : parts;
  } catch {
    return undefined;
  }
}

function groupVersion(
  parts: readonly string[],
): { group: string; version: string; rest: readonly string[] } | undefined {
  const [root, first, second] = parts;
  if (root === "api" && first !== undefined) return { group: "", version: first, rest: parts.slice(2) };
  if (root !== "apis" || first === undefined || second === undefined) return undefined;
  return { group: first, version: second, rest: parts.slice(3) };
}

type Place = Pick<ResourcePath, "namespace" | "plural" | "name" | "subresource">;

function placeIn(rest: readonly string[]): Place | undefined {
  const [first, second, third] = rest;
  if (first === undefined) return undefined;
  const namespaced =
    first === "namespaces" && second !== undefined && third !== undefined && !namespaceParts.has(third);
  const [plural, name, ...more] = namespaced ? rest.slice(2) : rest;
  if (plural === undefined) return undefined;
  const subresource = more.length === 0 ? undefined : more.join("/");
  return { namespace: namespaced ? (second ?? "") : "", plural, name, subresource };
}
