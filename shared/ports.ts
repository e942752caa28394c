import type { Access } from "./access-port.ts";
import type { ChartEntry } from "./charts/index-file.ts";
import type { S3Access } from "./charts/s3-address.ts";
import type { Cause, Event } from "./event.ts";
import type { Helm } from "./helm-port.ts";
import type { History } from "./history-port.ts";
import type { Outcomes } from "./outcomes-port.ts";
import type { KubeObject, ObjectOf, ResourceDefinition } from "./resource.ts";
import type { Storage } from "./storage-port.ts";
import type { Uploads } from "./uploads-port.ts";
import type { WebhookProofs } from "./webhooks/proof.ts";

/** The name of an object, with its namespace where the kind has one. */
export interface ObjectName {
  readonly name: string;
  readonly namespace?: string;
}

/** Narrows a list: all conditions must hold. */
export interface ListQuery {
  readonly namespace?: string;
  /** Labels that must have exactly these values. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Kubernetes label selector text, for anything `labels` cannot say. */
  readonly labelSelector?: string;
}

/** Reads objects of the declared kinds and no others. */
export interface KubeReader<K extends ResourceDefinition = ResourceDefinition> {
  get<R extends K>(kind: R, name: string | ObjectName): Promise<ObjectOf<R> | undefined>;
  /** All pages of a list, in the server's order. */
  list<R extends K>(kind: R, query?: ListQuery): Promise<readonly ObjectOf<R>[]>;
}

/** Writes objects; a stale resourceVersion or an existing name is a `Conflict`. Only the host holds this. */
export interface KubeWriter {
  create(kind: ResourceDefinition, object: KubeObject, manager: string): Promise<KubeObject>;
  /** Server-side apply of exactly the fields given; takes fields over from other managers. */
  apply(kind: ResourceDefinition, object: KubeObject, manager: string): Promise<KubeObject>;
  /** Replaces the status; the object must carry the resourceVersion it was read with. */
  replaceStatus(kind: ResourceDefinition, object: KubeObject, manager: string): Promise<KubeObject>;
  /** Replaces everything but the status; the object must carry the resourceVersion it was read with. */
  replace(kind: ResourceDefinition, object: KubeObject, manager: string): Promise<KubeObject>;
  /** Deletes if the object still has this uid; gone already counts as deleted. With `asRead` a change since is a `Conflict`. */
  remove(kind: ResourceDefinition, object: KubeObject, asRead?: true): Promise<void>;
}

/** One change that a watch reports. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: KubeObject;
}

/** Publishes events durably: resolved means stored, repeating an id changes nothing. */
export interface Bus {
  publish(event: Event): Promise<void>;
  deadLetter(letter: DeadLetter): Promise<void>;
}

/** An event that no retry will help, kept with everything a replay needs. */
export interface DeadLetter {
  readonly functionName: string;
  readonly reason: string;
  readonly message: string;
  readonly attempts: number;
  /** Identity of the event where it could be read. */
  readonly cause?: Cause & { readonly type: string };
  /** The bytes as they came. */
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where bytes are kept: buckets of immutable bytes, key = digest, id of an attachment, or a secret's envelope. */
export type Bucket = "uploads" | "packages" | "indexes" | "attachments" | "envelopes";

/** Reads and writes immutable bytes by key. */
export interface Blobs {
  /** `undefined` where the key is unknown; refuses with `TooLarge` beyond `maxBytes`. */
  get(bucket: Bucket, key: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Stores the bytes under `key`; the same key again makes them no more than young. */
  put(bucket: Bucket, key: string, bytes: Uint8Array): Promise<void>;
  /** Gives the bytes up; no such key counts as done. With a revision only if nobody has stored them anew since. */
  remove(bucket: Bucket, key: string, revision?: string): Promise<void>;
}

/** How to fetch from one repository. */
export interface RepositoryAccess {
  /** `http(s)://` (the folder of index.yaml), `oci://host/path` or `s3://`. */
  readonly url: string;
  /** Charts to look for in a registry that cannot list them. */
  readonly charts?: readonly string[];
  readonly username?: string;
  readonly password?: string;
  /** Sent as a bearer token in place of user name and password. */
  readonly token?: string;
  /** Keys and place of a bucket. */
  readonly s3?: S3Access;
  /** Hosts at private or loopback addresses that redirects and chart URLs may lead to. */
  readonly allowedHosts?: readonly string[];
  /** PEM texts. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecureSkipTLSVerify?: boolean;
  /** Whether an OCI registry is spoken to over plain HTTP; default: only on loopback addresses. */
  readonly plainHttp?: boolean;
}

/** What is known of an index, so that nothing is read twice. */
export interface KnownIndex {
  readonly etag?: string;
  readonly lastModified?: string;
  /** A chart as last read, for registries: only its unknown versions are looked at. */
  readonly entry?: (chart: string) => ChartEntry | undefined;
  /** What was pushed: where `entry` tells the rest, a registry is asked for this chart or version alone; others read all. */
  readonly only?: { readonly chart: string; readonly version?: string };
}

/** Something in a registry that is in no index: no chart, no version, or not to be used. */
export interface SkippedTag {
  readonly chart: string;
  readonly tag?: string;
  /** One sentence for people. */
  readonly message: string;
}

/** An index as it arrives, or the news that it has not changed. */
export type FetchedIndex =
  | { readonly changed: false }
  | {
      readonly changed: true;
      /**
       * The text in UTF-8, read once; fails while it is read as `fetchIndex` does. A chunk is valid until the next is
       * asked for.
       */
      readonly chunks: AsyncIterable<Uint8Array>;
      readonly etag?: string;
      readonly lastModified?: string;
      /** Set where the text holds only the chart asked for: what is known of all others stays. */
      readonly partial?: true;
      /** Versions that a registry lists and that were not read yet; the next fetch goes on with them. */
      readonly pending?: number;
      /** Wait that a registry asks for before it may be asked for what is pending. */
      readonly retryAfterMs?: number;
      /** What a registry holds that is in no index: how much, and the first of it. */
      readonly skipped?: { readonly count: number; readonly first: readonly SkippedTag[] };
    };

/** Fetches from Helm repositories within byte, time and redirect limits. */
export interface Charts {
  fetchIndex(access: RepositoryAccess, known?: KnownIndex): Promise<FetchedIndex>;
  /** The bytes of a chart package; credentials go to the repository's own host only. */
  fetchPackage(access: RepositoryAccess, url: string): Promise<Uint8Array>;
  /** The files of a package, or why it is refused. Never runs or renders anything. */
  readArchive(bytes: Uint8Array): Promise<ArchiveResult>;
}

/** A chart in a registry with the signatures that are attached to it. */
export interface SignedChart {
  /** The chart's manifest as the registry sent it. */
  readonly manifest: Uint8Array;
  /** cosign's simple-signing payloads, each with its signature in base64. */
  readonly signatures: readonly { readonly payload: Uint8Array; readonly signature: string }[];
  /** Sigstore bundles (JSON) that refer to the chart. */
  readonly bundles: readonly Uint8Array[];
}

/** Fetches what vouches for a chart package, within the limits of `Charts`; believes none of it. */
export interface Attestations {
  /** The provenance file of a package; `undefined` where there is none. */
  fetchProvenance(access: RepositoryAccess, url: string): Promise<Uint8Array | undefined>;
  /** The chart at an `oci://` address with its signatures; `undefined` where charts are not in a registry. */
  fetchSignatures(access: RepositoryAccess, url: string): Promise<SignedChart | undefined>;
}

/** A clear-signed text that holds, or why it does not. */
export type ClearSigned =
  | {
      readonly ok: true;
      readonly text: string;
      /** Fingerprint of the key that signed, in hex. */
      readonly signer: string;
      /** The key's user id. */
      readonly identity?: string;
      readonly signedTime: Date;
    }
  | { readonly ok: false; readonly reason: string; readonly message: string };

/** Checks OpenPGP signatures; keys and signatures that are revoked, expired or weak do not hold. */
export interface OpenPgp {
  /** Checks a clear-signed message against keyrings (armored or binary) as of `at`. Never throws for what it is given. */
  verifyClearSigned(message: Uint8Array, keyrings: readonly Uint8Array[], at: Date): Promise<ClearSigned>;
}

/** One file of a chart archive; content only for the few files that are read. */
export interface ArchiveFile {
  /** Path below the chart's top-level folder. */
  readonly path: string;
  readonly bytes: number;
  readonly text?: string;
}

/** What reading an archive safely came to. */
export type ArchiveResult =
  | {
      readonly ok: true;
      readonly folder: string;
      readonly files: readonly ArchiveFile[];
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly reason: string; readonly message: string };

/** The time, so that tests can hold it. */
export interface Clock {
  now(): Date;
}

/** Structured log: a static message and data in fields. */
export interface Log {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** The ports besides Kubernetes that a function may declare in `uses`. */
export interface Services {
  readonly blobs: Blobs;
  readonly storage: Storage;
  readonly uploads: Uploads;
  readonly history: History;
  readonly access: Access;
  readonly outcomes: Outcomes;
  readonly charts: Charts;
  readonly attestations: Attestations;
  readonly openpgp: OpenPgp;
  readonly webhooks: WebhookProofs;
  readonly helm: Helm;
  readonly clock: Clock;
}
