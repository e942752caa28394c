import { createHash } from "node:crypto";
import { type Answer, type Call, jsonAnswer } from "./call.ts";
import { unknownPath } from "./errors.ts";
import type { Registry } from "./registry.ts";
import { openApiV2, openApiV3 } from "./schema/openapi.ts";

/** Serves the OpenAPI documents; they are built on first use and forgotten when a definition changes. */
export function openApiRoutes(registry: Registry): (call: Call) => Answer | undefined {
  const cache = new Map<string, string>();
  let cachedAt = -1;
  const cached = (key: string, build: () => unknown): string => {
    if (cachedAt !== registry.generation()) cache.clear();
    cachedAt = registry.generation();
    const text = cache.get(key) ?? JSON.stringify(build());
    cache.set(key, text);
    return text;
  };
  return ({ path }) => {
    if (path === "/openapi/v2") return { code: 200, text: cached(path, () => openApiV2(registry.kinds())) };
    if (path === "/openapi/v3") return jsonAnswer(200, { paths: groupVersionPaths(registry) });
    const [, group = "", version] = /^\/openapi\/v3\/(?:apis\/([^/]+)|api)\/([^/]+)$/u.exec(path) ?? [];
    if (version === undefined) return undefined;
    if (!registry.kinds().some((kind) => kind.group === group && kind.version === version)) throw unknownPath();
    return { code: 200, text: cached(path, () => openApiV3(registry.kinds(), group, version)) };
  };
}

function groupVersionPaths(registry: Registry): Record<string, object> {
  const hash = createHash("sha256").update(String(registry.generation())).digest("hex").slice(0, 16).toUpperCase();
  const paths: Record<string, object> = {};
  for (const { group, version } of registry.kinds()) {
    const path = group === "" ? `api/${version}` : `apis/${group}/${version}`;
    paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
  }
  return paths;
}
