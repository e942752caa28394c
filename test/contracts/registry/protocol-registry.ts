import type { IncomingMessage, ServerResponse } from "node:http";
import { sha256 } from "../../../shared/digest.ts";
import { type HostileServer, hostile } from "../charts-port/hostile-server.ts";

/** A chart version as a test pushes it. */
export interface PushedChart {
  readonly repository: string;
  readonly tag: string;
  /** Fields of Chart.yaml besides name and version. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly content?: Buffer;
}

/** Where a test's bytes are. */
export interface Pushed {
  readonly manifest: string;
  readonly config: string;
  readonly content: string;
}

/** What a test's registry does otherwise than the plain protocol. */
export interface ProtocolOptions {
  /** Most items of a page; default 1000. */
  readonly pageSize?: number;
  /** Answers by itself and returns true, or leaves it to the protocol. */
  readonly intercept?: (request: RegistryCall, response: ServerResponse) => boolean;
  /** Where blobs are redirected to; default: they are sent. */
  readonly storage?: (digest: string) => string;
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A request as the registry understands it. */
export interface RegistryCall {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly count: number;
}

/** A registry in memory that speaks the OCI distribution protocol and does what a test wants of it. */
export interface ProtocolRegistry {
  readonly host: string;
  readonly server: HostileServer;
  /** What was asked since the last call: method, path and query. */
  asked(): readonly string[];
  push(chart: PushedChart): Pushed;
  /** Puts any manifest under a tag; returns its digest. */
  put(repository: string, tag: string, manifest: unknown): string;
  blob(bytes: Buffer | string): { readonly digest: string; readonly size: number };
  remove(repository: string, tag: string): void;
  blobs(): ReadonlyMap<string, Buffer>;
}

const HELM_CONFIG = "application/vnd.cncf.helm.config.v1+json";
const HELM_CONTENT = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";
const MANIFEST = "application/vnd.oci.image.manifest.v1+json";

interface Contents {
  readonly tags: Map<string, Map<string, string>>;
  readonly manifests: Map<string, Buffer>;
  readonly blobs: Map<string, Buffer>;
}

/** Serves such a registry until the test ends. */
export async function protocolRegistry(options: ProtocolOptions = {}): Promise<ProtocolRegistry> {
  const contents: Contents = { tags: new Map(), manifests: new Map(), blobs: new Map() };
  const calls: string[] = [];
  const server = await hostile((request, response, count) => {
    const { method = "GET", url: path = "/", headers } = request;
    calls.push(`${method} ${path}`);
    if (!options.intercept?.({ method, path, headers, count }, response)) answer(contents, options, { path, response });
  }, options.tls);
  const blob = (bytes: Buffer | string) => {
    const kept = Buffer.from(bytes);
    contents.blobs.set(sha256(kept), kept);
    return { digest: sha256(kept), size: kept.length };
  };
  const put = (repository: string, tag: string, manifest: unknown) => {
    const bytes = Buffer.from(typeof manifest === "string" ? manifest : JSON.stringify(manifest));
    contents.manifests.set(sha256(bytes), bytes);
    contents.tags.set(repository, (contents.tags.get(repository) ?? new Map()).set(tag, sha256(bytes)));
    return sha256(bytes);
  };
  return {
    host: `127.0.0.1:${server.port}`,
    server,
    put,
    blob,
    asked: () => calls.splice(0),
    push({ repository, tag, metadata = {}, content = Buffer.from(`package ${repository} ${tag}`) }) {
      const name = repository.slice(repository.lastIndexOf("/") + 1);
      const version = tag.replaceAll("_", "+");
      const config = blob(JSON.stringify({ name, version, apiVersion: "v2", ...metadata }));
      const layer = blob(content);
      const manifest = put(repository, tag, {
        schemaVersion: 2,
        config: { mediaType: HELM_CONFIG, ...config },
        layers: [{ mediaType: HELM_CONTENT, ...layer }],
        annotations: { "org.opencontainers.image.created": "2024-05-06T07:08:09Z" },
      });
      return { manifest, config: config.digest, content: layer.digest };
    },
    remove: (repository, tag) => void contents.tags.get(repository)?.delete(tag),
    blobs: () => contents.blobs,
  };
}

interface Call {
  readonly path: string;
  readonly response: ServerResponse;
}

function answer(contents: Contents, options: ProtocolOptions, { path, response }: Call) {
  const url = new URL(path, "http://registry");
  const [, repository = "", kind, reference = ""] =
    /^\/v2\/(?:(.+)\/(tags\/list|manifests|blobs)(?:\/([^/]+))?|_catalog)$/.exec(url.pathname) ?? [];
  const { pageSize = 1000 } = options;
  if (url.pathname === "/v2/_catalog") {
    return page(response, { url, property: "repositories", items: [...contents.tags.keys()].sort(), pageSize });
  }
  const tags = contents.tags.get(repository);
  if (!tags) return missing(response, "NAME_UNKNOWN");
  if (kind === "tags/list") return page(response, { url, property: "tags", items: [...tags.keys()].sort(), pageSize });
  if (kind === "manifests") return sendManifest(contents, response, tags.get(reference) ?? reference);
  if (options.storage) return response.writeHead(307, { location: options.storage(reference) }).end();
  const bytes = contents.blobs.get(reference);
  return bytes ? response.end(bytes) : missing(response, "BLOB_UNKNOWN");
}

interface Page {
  readonly url: URL;
  readonly property: string;
  readonly items: readonly string[];
  readonly pageSize: number;
}

function page(response: ServerResponse, { url, property, items, pageSize }: Page) {
  const last = url.searchParams.get("last");
  const size = Math.min(pageSize, Number(url.searchParams.get("n") ?? pageSize));
  const rest = last === null ? items : items.filter((item) => item > last);
  const shown = rest.slice(0, size);
  if (rest.length > size) {
    const next = `${url.pathname}?last=${encodeURIComponent(shown.at(-1) ?? "")}&n=${size}`;
    response.setHeader("link", `<${next}>; rel="next"`);
  }
  response.end(JSON.stringify({ name: "x", [property]: shown }));
}

function sendManifest({ manifests }: Contents, response: ServerResponse, digest: string) {
  const bytes = manifests.get(digest);
  if (!bytes) return missing(response, "MANIFEST_UNKNOWN");
  response.writeHead(200, {
    "content-type": MANIFEST,
    "docker-content-digest": digest,
    "content-length": bytes.length,
  });
  response.end(bytes);
}

function missing(response: ServerResponse, code: string) {
  response.writeHead(404).end(JSON.stringify({ errors: [{ code, message: "not here" }] }));
}
