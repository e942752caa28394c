import { tagOfVersion } from "../../shared/charts/oci-reference.ts";
import type { HttpAnswer, HttpRequest } from "../../shared/http-function.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { type Addressed, configOf, manifestOf } from "./oci-content.ts";
import { asOfNow, type Published, publishedOn, suspensionOf } from "./published.ts";
import type { RepositoryPorts } from "./visitor.ts";

const MAX_PACKAGE_BYTES = 32 * 1024 * 1024;
const MAX_PAGE = 1000;

/** Tags come and go with suspensions, so nobody answers for us from memory. */
const FRESH = { "cache-control": "no-cache" };

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
  return { status, headers: { ...FRESH, "content-type": "application/json" }, body, log: { code } };
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
  if (asked.what === "blobs") return blob(request, asked, { offered, ports });
  if (asked.reference !== "list") return ociError(404, "UNSUPPORTED", "tags are listed at tags/list");
  const tags = offered.map(({ version }) => tagOfVersion(version)).sort();
  return paged(request, tags, (page) => ({ name: repositoryOf(asked), tags: page }));
}

function repositoryOf({ workspace, chart }: OciRequest): string {
  return workspace === undefined ? `charts/${chart}` : `workspaces/${workspace}/charts/${chart}`;
}

async function manifest({ reference, workspace }: OciRequest, chart: readonly Published[], ports: RepositoryPorts) {
  const listed = await referredTo(reference, chart, ports);
  const found = listed && (await asOfNow(listed, workspace, ports.kube));
  const tagged = found && tagOfVersion(found.version) === reference;
  if (found?.suspended && tagged) return ociError(410, "MANIFEST_UNKNOWN", suspensionOf(found));
  const made = found && !found.suspended ? await manifestFor(found, ports) : undefined;
  if (made && (tagged || made.digest === reference)) return sent(made);
  return ociError(404, "MANIFEST_UNKNOWN", `no version is tagged ${reference}`);
}

/** The version with that tag, or the one on offer whose manifest has that digest. */
async function referredTo(reference: string, chart: readonly Published[], ports: RepositoryPorts) {
  if (!reference.startsWith("sha256:")) return chart.find(({ version }) => tagOfVersion(version) === reference);
  for (const each of chart.filter(({ suspended }) => !suspended)) {
    if ((await manifestFor(each, ports))?.digest === reference) return each;
  }
  return undefined;
}

/** How many bytes the package of a version has: packages never change, so each is looked up once. */
const sizes = new WeakMap<HelmApplicationVersion, number>();

async function manifestFor(published: Published, { kube }: RepositoryPorts): Promise<Addressed | undefined> {
  const { object } = published;
  const size = sizes.get(object) ?? (await kube.get(HelmPackage, object.spec.package ?? ""))?.spec.size;
  if (size === undefined) return undefined;
  sizes.set(object, size);
  return manifestOf(published, size);
}

interface Shelf {
  readonly offered: readonly Published[];
  readonly ports: RepositoryPorts;
}

async function blob({ method }: HttpRequest, asked: OciRequest, { offered, ports }: Shelf): Promise<HttpAnswer> {
  const { reference: digest, workspace } = asked;
  const config = offered.map(configOf).find((each) => each.digest === digest);
  if (config) return sent({ ...config, mediaType: "application/octet-stream" });
  const unknown = ociError(404, "BLOB_UNKNOWN", `${digest} is no blob of this chart`);
  const listed = offered.find((each) => each.digest === digest);
  const layer = listed && (await asOfNow(listed, workspace, ports.kube));
  if (layer?.digest !== digest || layer.suspended) return unknown;
  const headers = { "content-type": "application/octet-stream", "docker-content-digest": digest, etag: `"${digest}"` };
  if (method === "HEAD") {
    const found = await ports.kube.get(HelmPackage, layer.object.spec.package ?? "");
    return found ? { status: 200, headers: { ...headers, "content-length": String(found.spec.size) } } : unknown;
  }
  const body = await ports.blobs.get("packages", digest, MAX_PACKAGE_BYTES);
  return body ? { status: 200, headers, body } : unknown;
}

function sent({ mediaType, digest, text }: Addressed): HttpAnswer {
  const headers = { ...FRESH, "content-type": mediaType, "docker-content-digest": digest, etag: `"${digest}"` };
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
