import { tagOfVersion } from "../../shared/charts/oci-reference.ts";
import type { HttpAnswer, HttpRequest } from "../../shared/http-function.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { type Addressed, configOf, manifestOf } from "./oci-content.ts";
import { type Published, publishedOn, suspensionOf } from "./published.ts";
import type { RepositoryPorts } from "./visitor.ts";

const MAX_PACKAGE_BYTES = 32 * 1024 * 1024;
const MAX_PAGE = 1000;

/** A request below `/v2/` of one chart of a shelf. */
export interface OciRequest {
  readonly workspace: string | undefined;
  readonly chart: string;
  readonly what: "tags" | "manifests" | "blobs";
  readonly reference: string;
}

/** The error body of the OCI distribution specification. */
export function ociError(status: number, code: string, message: string): HttpAnswer {
  const body = JSON.stringify({ errors: [{ code, message }] });
  return { status, headers: { "content-type": "application/json" }, body, log: { code } };
}

/** The names of all repositories of a shelf, a page at a time. */
export async function catalog(request: HttpRequest, workspace: string | undefined, ports: RepositoryPorts) {
  const versions = publishedOn(await ports.kube.list(HelmApplicationVersion), workspace);
  const prefix = workspace === undefined ? "charts/" : `workspaces/${workspace}/charts/`;
  const names = new Set(versions.filter(({ suspended }) => !suspended).map(({ name }) => `${prefix}${name}`));
  return paged(request, [...names].sort(), (repositories) => ({ repositories }));
}

/** Tags, manifests and blobs of one chart. */
export async function ociContent(request: HttpRequest, asked: OciRequest, ports: RepositoryPorts): Promise<HttpAnswer> {
  const versions = publishedOn(await ports.kube.list(HelmApplicationVersion), asked.workspace);
  const chart = versions.filter(({ name }) => name === asked.chart);
  const offered = chart.filter(({ suspended }) => !suspended);
  if (asked.what === "manifests") return manifest(asked, chart, ports);
  if (offered.length === 0) return ociError(404, "NAME_UNKNOWN", `no chart ${asked.chart} is offered here`);
  if (asked.what === "blobs") return blob(request, asked.reference, { offered, ports });
  const tags = offered.map(({ version }) => tagOfVersion(version)).sort();
  return paged(request, tags, (page) => ({ name: repositoryOf(asked), tags: page }));
}

function repositoryOf({ workspace, chart }: OciRequest): string {
  return workspace === undefined ? `charts/${chart}` : `workspaces/${workspace}/charts/${chart}`;
}

async function manifest({ reference }: OciRequest, chart: readonly Published[], ports: RepositoryPorts) {
  const byTag = chart.find(({ version }) => tagOfVersion(version) === reference);
  if (byTag?.suspended) return ociError(410, "MANIFEST_UNKNOWN", suspensionOf(byTag));
  const candidates = byTag
    ? [byTag]
    : reference.startsWith("sha256:")
      ? chart.filter(({ suspended }) => !suspended)
      : [];
  for (const published of candidates) {
    const made = await manifestFor(published, ports);
    if (made && (byTag || made.digest === reference)) return sent(made);
  }
  return ociError(404, "MANIFEST_UNKNOWN", `no version is tagged ${reference}`);
}

async function manifestFor(published: Published, { kube }: RepositoryPorts): Promise<Addressed | undefined> {
  const found = await kube.get(HelmPackage, published.object.spec.package ?? "");
  return found && manifestOf(published, found.spec.size);
}

interface Shelf {
  readonly offered: readonly Published[];
  readonly ports: RepositoryPorts;
}

async function blob({ method }: HttpRequest, digest: string, { offered, ports }: Shelf): Promise<HttpAnswer> {
  const config = offered.map(configOf).find((each) => each.digest === digest);
  if (config) return sent({ ...config, mediaType: "application/octet-stream" });
  const unknown = ociError(404, "BLOB_UNKNOWN", `${digest} is no blob of this chart`);
  const layer = offered.find((each) => each.digest === digest);
  if (!layer) return unknown;
  const headers = { "content-type": "application/octet-stream", "docker-content-digest": digest, etag: `"${digest}"` };
  if (method === "HEAD") {
    const found = await ports.kube.get(HelmPackage, layer.object.spec.package ?? "");
    return found ? { status: 200, headers: { ...headers, "content-length": String(found.spec.size) } } : unknown;
  }
  const body = await ports.blobs.get("packages", digest, MAX_PACKAGE_BYTES);
  return body ? { status: 200, headers, body } : unknown;
}

function sent({ mediaType, digest, text }: Addressed): HttpAnswer {
  const headers = { "content-type": mediaType, "docker-content-digest": digest, etag: `"${digest}"` };
  return { status: 200, headers, body: text };
}

/** One page of names: `n` of them after `last`, with a Link to the next. */
function paged(
  { query, path }: HttpRequest,
  names: readonly string[],
  shape: (page: readonly string[]) => object,
): HttpAnswer {
  const size = Math.min(Math.max(Number(query.get("n") ?? MAX_PAGE) || MAX_PAGE, 1), MAX_PAGE);
  const last = query.get("last") ?? "";
  const rest = last === "" ? names : names.filter((each) => each > last);
  const page = rest.slice(0, size);
  const next = `<${path}?n=${size}&last=${encodeURIComponent(page.at(-1) ?? "")}>; rel="next"`;
  const headers = { "content-type": "application/json", ...(rest.length > size ? { link: next } : {}) };
  return { status: 200, headers, body: JSON.stringify(shape(page)) };
}
