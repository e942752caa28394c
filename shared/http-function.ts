import type { Announcement, Event, EventDefinition } from "./event.ts";
import type { KubeReader, Services } from "./ports.ts";
import type { ResourceDefinition } from "./resource.ts";

/** A request as an HTTP function sees it. */
export interface HttpRequest {
  readonly method: string;
  /** As sent, without the query: still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case name; several of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Address of the peer; on Knative that is its proxy. */
  readonly remoteAddress: string;
  /** The body as it arrives, read once; fails with `TooLarge` beyond `maxBodyBytes`. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body; fails as `body` does. */
  bytes(): Promise<Uint8Array>;
}

/** What a request is answered with. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Stands in the log line of the request, for people and metrics; never secrets. */
  readonly log?: Readonly<Record<string, unknown>>;
}

/** Which occurrence outside is announced, and on whose account. */
export interface Occurrence {
  /** The same occurrence told again has the same id and is stored once; default: each call is one of its own. */
  readonly id?: string;
  /** The authenticated caller. */
  readonly operator?: string;
}

/** What `handle` may read and do: the declared kinds, services and events. */
export type HttpPorts<
  Emits extends EventDefinition,
  Reads extends ResourceDefinition,
  Uses extends keyof Services,
> = Pick<Services, Uses> & {
  readonly kube: KubeReader<Reads>;
  /** Announces; resolved means stored. The event begins a chain: its correlation id is its own. */
  publish(announcement: Announcement<Emits["type"]>, occurrence?: Occurrence): Promise<Event>;
  /** Aborted when the time is up or the client is gone. */
  readonly signal: AbortSignal;
};

/** How often requests of one kind are taken. */
export interface RateLimit {
  /** Also the number that may come at once. */
  readonly perMinute: number;
  /** Requests with the same key share the limit; `undefined`: not limited. */
  key(request: Pick<HttpRequest, "method" | "path" | "headers" | "remoteAddress">): string | undefined;
}

/** The declaration of an HTTP function, from which Service, Role, documents and type checks follow. */
export interface HttpFunctionOptions<
  Emits extends EventDefinition,
  Reads extends ResourceDefinition,
  Uses extends keyof Services,
> {
  /** Name of its folder and Service. */
  readonly name: string;
  readonly summary: string;
  /** Who reaches it: everybody, or the cluster's own workloads. */
  readonly visibility: "public" | "cluster-local";
  readonly emits: readonly Emits[];
  readonly reads: readonly Reads[];
  /** Kinds whose lists are kept in memory and followed by a watch. */
  readonly cached?: readonly NoInfer<Reads>[];
  /** Services besides Kubernetes that `handle` calls. */
  readonly uses?: readonly Uses[];
  /** Time for one request, its body included. */
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  /** Requests handled at once by one process; default 16. */
  readonly concurrency?: number;
  readonly rate?: RateLimit;
  /** Answers a request. A `Failure` becomes 400, 403, 409, 413 or 503 with its message, any other error 500. */
  handle(request: HttpRequest, ports: HttpPorts<Emits, Reads, Uses>): Promise<HttpAnswer>;
}

/** An HTTP function as host and generator see it, its own types erased. */
export interface HttpFunction {
  readonly name: string;
  readonly summary: string;
  readonly visibility: "public" | "cluster-local";
  readonly emits: readonly EventDefinition[];
  readonly reads: readonly ResourceDefinition[];
  readonly cached: readonly ResourceDefinition[];
  /** Always empty: what has to be written is announced, and an event's function writes it. */
  readonly writes: readonly ResourceDefinition[];
  readonly uses: readonly (keyof Services)[];
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly concurrency: number;
  readonly rate?: RateLimit;
  handle(request: HttpRequest, ports: unknown): Promise<HttpAnswer>;
}

/** An HTTP function with its ports still typed, so that its own tests can call it. */
export type DefinedHttpFunction<Ports> = Omit<HttpFunction, "handle"> & {
  handle(request: HttpRequest, ports: Ports): Promise<HttpAnswer>;
};

/** Declares an HTTP function. Announcing, reading or using what is not declared does not compile. */
export function defineHttpFunction<
  const Emits extends EventDefinition = never,
  const Reads extends ResourceDefinition = never,
  const Uses extends keyof Services = never,
>(options: HttpFunctionOptions<Emits, Reads, Uses>): DefinedHttpFunction<HttpPorts<Emits, Reads, Uses>> {
  // The one place where a function's own types end: the host passes what is declared here.
  return { concurrency: 16, uses: [], writes: [], cached: [], ...options } as unknown as DefinedHttpFunction<
    HttpPorts<Emits, Reads, Uses>
  >;
}
