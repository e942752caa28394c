import { defineHttpFunction, type HttpAnswer, type HttpRequest } from "../../shared/http-function.ts";
import { ConfigMap } from "../../shared/resources/core.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { helmFile } from "./helm-files.ts";
import { catalog, type OciRequest, ociContent, ociError } from "./oci-api.ts";
import { type RepositoryPorts, turnedAway } from "./visitor.ts";

/** The store as a Helm repository and as an OCI registry to pull from: what is published, and nothing else. */
export default defineHttpFunction({
  name: "chart-repository",
  summary: "Serves published versions as a Helm repository at /charts and as a read-only OCI registry at /v2.",
  visibility: "public",
  emits: [],
  reads: [HelmApplicationVersion, HelmPackage, ConfigMap],
  cached: [HelmApplicationVersion],
  uses: ["access", "blobs"],
  timeoutMs: 60_000,
  maxBodyBytes: 64 * 1024,
  // Each may hold a whole package.
  concurrency: 4,
  async handle(request, ports) {
    const place = placeOf(request.path);
    if (!place) return { status: 404 };
    if (request.method !== "GET" && request.method !== "HEAD") return readOnly(place);
    const away = await turnedAway(request, { ...place, signingIn: place.at === "registry" }, ports);
    return away ?? answer(request, place, ports);
  },
});

type Place =
  | { readonly at: "file"; readonly workspace: string | undefined; readonly file: string }
  | { readonly at: "registry" | "catalog"; readonly workspace: undefined }
  | ({ readonly at: "oci" } & OciRequest);

const FILE = /^(?:\/workspaces\/([^/]+))?\/charts\/([^/]+)$/;
const OCI = /^\/v2\/(?:workspaces\/([^/]+)\/)?charts\/([^/]+)\/(tags|manifests|blobs)\/([^/]+)$/;
const MAX_PATH = 1024;

function placeOf(path: string): Place | undefined {
  if (path.length > MAX_PATH) return undefined;
  if (path === "/v2" || path === "/v2/") return { at: "registry", workspace: undefined };
  if (path === "/v2/_catalog") return { at: "catalog", workspace: undefined };
  const [, workspace, file] = FILE.exec(path) ?? [];
  if (file !== undefined) return { at: "file", workspace, file: decode(file) };
  const [, tenant, chart, what, reference = ""] = OCI.exec(path) ?? [];
  if (chart === undefined) return undefined;
  return { at: "oci", workspace: tenant, chart, what: what as OciRequest["what"], reference: decode(reference) };
}

/** Helm writes the `+` of a version as it is, others as %2B. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function answer(request: HttpRequest, place: Place, ports: RepositoryPorts): Promise<HttpAnswer> {
  switch (place.at) {
    case "file":
      return helmFile(request, place, ports);
    case "registry":
      return { status: 200, headers: { "content-type": "application/json" }, body: "{}" };
    case "catalog":
      return catalog(request, undefined, ports);
    case "oci":
      return ociContent(request, place, ports);
  }
}

function readOnly({ at }: Place): HttpAnswer {
  const message = "nothing is pushed here: upload the package to the store and have it released";
  const { headers, ...rest } =
    at === "file" ? { status: 405, body: `${message}\n` } : ociError(405, "UNSUPPORTED", message);
  return { ...rest, headers: { ...headers, allow: "GET, HEAD" } };
}
