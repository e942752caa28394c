import type { HttpAnswer, HttpRequest } from "../../shared/http-function.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { fileName, indexYaml } from "./index-yaml.ts";
import { asOfNow, type Published, publishedOn, suspensionOf } from "./published.ts";
import type { RepositoryPorts } from "./visitor.ts";

/** Packages above this are none of ours. */
const MAX_PACKAGE_BYTES = 32 * 1024 * 1024;

/** Serves `index.yaml` and packages of a shelf as Helm asks for them. */
export async function helmFile(
  request: HttpRequest,
  { workspace, file }: { readonly workspace: string | undefined; readonly file: string },
  ports: RepositoryPorts,
): Promise<HttpAnswer> {
  const versions = await ports.kube.list(HelmApplicationVersion);
  if (file === "index.yaml") {
    const { text, etag } = indexYaml(versions, workspace);
    return conditional(request, etag, { headers: { "content-type": "application/yaml" }, body: text });
  }
  const listed = publishedOn(versions, workspace).find((each) => fileName(each) === file);
  const found = listed && (await asOfNow(listed, workspace, ports.kube));
  return found && fileName(found) === file ? packageOf(request, found, ports) : { status: 404 };
}

async function packageOf(request: HttpRequest, found: Published, ports: RepositoryPorts): Promise<HttpAnswer> {
  if (found.suspended) return gone(suspensionOf(found));
  const headers = {
    "content-type": "application/gzip",
    "content-disposition": `attachment; filename="${fileName(found).replace(/[^\w.+-]/g, "_")}"`,
  };
  const etag = `"${found.digest}"`;
  if (request.headers["if-none-match"] === etag) return conditional(request, etag, { headers, body: "" });
  const bytes = await ports.blobs.get("packages", found.digest, MAX_PACKAGE_BYTES);
  if (!bytes)
    return { status: 503, headers: { "retry-after": "30" }, log: { why: `bytes of ${found.digest} are missing` } };
  return conditional(request, etag, { headers, body: bytes });
}

function gone(reason: string): HttpAnswer {
  // Caches may keep a 410 that says nothing of it, and the version may be back tomorrow.
  return { status: 410, headers: { ...SAFE, "content-type": "text/plain; charset=utf-8" }, body: `${reason}\n` };
}

/** Nothing is served without being asked for again, nor taken for anything but what it is. */
const SAFE = { "cache-control": "no-cache", "x-content-type-options": "nosniff" };

interface Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** 304 where the visitor has it already. */
function conditional({ headers }: HttpRequest, etag: string, content: Content): HttpAnswer {
  const safe = { etag, ...SAFE };
  const asked = headers["if-none-match"]?.split(",").map((each) => each.trim().replace(/^W\//, ""));
  if (asked?.includes(etag)) return { status: 304, headers: safe };
  return { status: 200, headers: { ...content.headers, ...safe }, body: content.body };
}
