import { createHash } from "node:crypto";
import { PbfWriter } from "pbf";
import { type Answer, type Call, jsonAnswer } from "./call.ts";
import { unknownPath } from "./errors.ts";
import { mediaRanges } from "./negotiate.ts";
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
  return (call) =>
    call.path === "/openapi/v2" ? versionTwo(registry, call, cached) : versionThree(registry, call, cached);
}

type Cached = (key: string, build: () => unknown) => string;

function versionTwo(registry: Registry, { path, request }: Call, cached: Cached): Answer {
  if (wantsProtobuf(request.headers.accept)) return protobufDocument();
  return { code: 200, text: cached(path, () => openApiV2(registry.kinds())) };
}

function versionThree(registry: Registry, { path }: Call, cached: Cached): Answer | undefined {
  if (path === "/openapi/v3") return jsonAnswer(200, { paths: groupVersionPaths(registry) });
  const [, group = "", version] = /^\/openapi\/v3\/(?:apis\/([^/]+)|api)\/([^/]+)$/u.exec(path) ?? [];
  if (version === undefined) return undefined;
  if (!registry.kinds().some((kind) => kind.group === group && kind.version === version)) throw unknownPath();
  return { code: 200, text: cached(path, () => openApiV3(registry.kinds(), group, version)) };
}

const protobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

function wantsProtobuf(accept: string | undefined): boolean {
  const first = mediaRanges(accept).find(({ type }) => type !== "*/*");
  return first?.type.includes("proto-openapi.spec.v2") === true;
}

// kubectl and helm ask for this form when version 3 does not know a kind, which is all that they then have to
// learn: the document names no kinds, so they say that the kind is unknown. Field numbers: gnostic's Document.
function protobufDocument(): Answer {
  const writer = new PbfWriter();
  writer.writeStringField(1, "2.0");
  writer.writeMessage(2, writeInfo, { title: "Kubernetes", version: "v1.34.2" });
  return { code: 200, text: "", bytes: Buffer.from(writer.finish()), type: protobufType };
}

function writeInfo(info: { readonly title: string; readonly version: string }, writer: PbfWriter): void {
  writer.writeStringField(1, info.title);
  writer.writeStringField(2, info.version);
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
