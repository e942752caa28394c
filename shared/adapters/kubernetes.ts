import { Failure } from "../errors.ts";
import type { KubeReader, KubeWriter, ObjectName, WatchEvent } from "../ports.ts";
import type { KubeObject, ObjectOf, ResourceDefinition } from "../resource.ts";
import type { KubeAccess } from "./kubernetes-config.ts";
import { type FindKind, kindFinder } from "./kubernetes-discovery.ts";
import { failureOf, type KubeAnswer, statusOf } from "./kubernetes-errors.ts";
import { type KubeLimits, type KubeRequest, type KubeTransport, kubeTransport } from "./kubernetes-http.ts";
import { listAll, parseAnswer } from "./kubernetes-list.ts";
import { collectionPath, deed, objectPath } from "./kubernetes-paths.ts";
import { type WatchOptions, watchKind } from "./kubernetes-watch.ts";

/** Any object by what a manifest says of it. */
interface LiveName extends ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
}

/** One Kubernetes API server. */
export interface Kube extends KubeReader, KubeWriter {
  /** Every change until `signal` is aborted; see `watchKind`. */
  watch(kind: ResourceDefinition, options?: WatchOptions): AsyncIterable<WatchEvent>;
  /** Where the history of a kind stands now: a watch from here passes over what already exists. */
  position(kind: ResourceDefinition): Promise<string>;
  /** How a kind is addressed; `undefined` where the server does not serve it. */
  readonly findKind: FindKind;
  /** An object of any kind; `undefined` where the object or its kind does not exist. */
  getLive(object: LiveName): Promise<KubeObject | undefined>;
  /** Asks a question that is posed by creating an object (reviews), and gives back its status. */
  review(kind: ResourceDefinition, spec: object): Promise<unknown>;
  close(): void;
}

const LIMITS: KubeLimits = { requestTimeoutMs: 15_000, maxAnswerBytes: 32 * 1024 * 1024 };

/**
 * Talks to one API server. Nothing is connected or loaded before the first call.
 * Calls fail with `Failure`: Conflict (409), Forbidden (401, 403), Unavailable (408, 429, 5xx, no answer; with
 * `retryAfterMs` where the server says so), TooLarge (answer beyond the limit), Invalid (everything else).
 */
export function createKube(access: KubeAccess, limits: Partial<KubeLimits> = {}): Kube {
  const transport = kubeTransport(access, { ...LIMITS, ...limits });
  const findKind = kindFinder(transport);
  return {
    ...reader(transport),
    ...writer(transport),
    findKind,
    async getLive({ apiVersion, kind, name, namespace }) {
      const found = await findKind(apiVersion, kind);
      return found && getObject(transport, found, { name, ...(namespace === undefined ? {} : { namespace }) });
    },
    review: (kind, spec) => review(transport, kind, spec),
    watch: (kind, options = {}) => watchKind(transport, kind, options),
    position: async (kind) => (await listAll(transport, kind, {})).resourceVersion,
    close: () => transport.close(),
  };
}

function reader(transport: KubeTransport): KubeReader {
  return {
    async get<R extends ResourceDefinition>(kind: R, name: string | ObjectName) {
      const object = await getObject(transport, kind, typeof name === "string" ? { name } : name);
      return object as ObjectOf<R> | undefined;
    },
    async list<R extends ResourceDefinition>(kind: R, query = {}) {
      return (await listAll(transport, kind, query)).items as readonly ObjectOf<R>[];
    },
  };
}

async function getObject(
  transport: KubeTransport,
  kind: ResourceDefinition,
  name: ObjectName,
): Promise<KubeObject | undefined> {
  const what = deed("get", kind, name);
  const answer = await transport.send({ what, method: "GET", path: objectPath(kind, name) });
  if (answer.status === 404 && !isUnserved(answer)) return undefined;
  return objectOf(kind, what, answer);
}

function writer(transport: KubeTransport): KubeWriter {
  const write = async (kind: ResourceDefinition, request: KubeRequest) =>
    objectOf(kind, request.what, await transport.send(request));
  return {
    async create(kind, object, manager) {
      const what = deed("create", kind, object.metadata);
      // Refuses a bad name before it is sent: here it stands in the body, not in the path.
      objectPath(kind, object.metadata);
      const path = collectionPath(kind, object.metadata.namespace);
      return write(kind, { what, method: "POST", path, query: by(manager), body: object });
    },
    async apply(kind, object, manager) {
      const what = deed("apply", kind, object.metadata);
      const query = { ...by(manager), force: "true" };
      const path = objectPath(kind, object.metadata);
      const contentType = "application/apply-patch+yaml";
      return write(kind, { what, method: "PATCH", path, query, body: object, contentType });
    },
    async replaceStatus(kind, object, manager) {
      const what = deed("replace the status of", kind, object.metadata);
      const path = `${objectPath(kind, asRead(what, object).metadata)}/status`;
      return write(kind, { what, method: "PUT", path, query: by(manager), body: object });
    },
    async replace(kind, object, manager) {
      const what = deed("replace", kind, object.metadata);
      const path = objectPath(kind, asRead(what, object).metadata);
      return write(kind, { what, method: "PUT", path, query: by(manager), body: object });
    },
    remove: (kind, object, asRead) => removeObject(transport, { kind, object, asRead }),
  };
}

async function review(transport: KubeTransport, kind: ResourceDefinition, spec: object): Promise<unknown> {
  const what = `create ${kind.plural}`;
  const body = { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, metadata: {}, spec };
  const answer = await transport.send({ what, method: "POST", path: collectionPath(kind), body });
  const reviewed = objectOf(kind, what, answer);
  return "status" in reviewed ? reviewed.status : {};
}

/** Without a resourceVersion the API server would overwrite whatever is there. */
function asRead(what: string, object: KubeObject): KubeObject {
  if (object.metadata.resourceVersion !== undefined) return object;
  throw new Failure("Invalid", `${what}: the object carries no resourceVersion; pass it as it was read`);
}

interface Removal {
  readonly kind: ResourceDefinition;
  readonly object: KubeObject;
  readonly asRead: true | undefined;
}

async function removeObject(transport: KubeTransport, { kind, object, asRead }: Removal): Promise<void> {
  const { uid, resourceVersion } = object.metadata;
  const version = asRead && resourceVersion !== undefined ? { resourceVersion } : {};
  const what = deed("delete", kind, object.metadata);
  const body = {
    apiVersion: "v1",
    kind: "DeleteOptions",
    propagationPolicy: "Background",
    ...(uid === undefined ? {} : { preconditions: { uid, ...version } }),
  };
  const answer = await transport.send({ what, method: "DELETE", path: objectPath(kind, object.metadata), body });
  const gone = answer.status === 404 && !isUnserved(answer);
  // Another uid means that ours is gone and somebody made a new one.
  const replaced = answer.status === 409 && uid !== undefined && !asRead;
  if (!gone && !replaced && answer.status >= 300) throw failed(kind, what, answer);
}

/** Field manager of a function; `kubectl get --show-managed-fields` shows who owns what. */
function by(manager: string): { readonly fieldManager: string } {
  return { fieldManager: `openpitrix-${manager}`.slice(0, 128) };
}

function objectOf(kind: ResourceDefinition, what: string, answer: KubeAnswer): KubeObject {
  if (answer.status >= 300) throw failed(kind, what, answer);
  return parseAnswer(what, answer) as KubeObject;
}

function failed(kind: ResourceDefinition, what: string, answer: KubeAnswer): Failure {
  if (answer.status !== 404) return failureOf(what, answer);
  if (isUnserved(answer)) {
    const group = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
    const message = `${what}: the API server serves no ${kind.plural} in ${group}; install its CustomResourceDefinition`;
    return new Failure("Unavailable", message);
  }
  // Deleted since it was read: reading again shows it, as with any other write in between.
  const ours = statusOf(answer.text).details?.kind === kind.plural;
  return ours ? new Failure("Conflict", failureOf(what, answer).message) : failureOf(what, answer);
}

/** A missing object is named in the answer; a missing kind is not. */
function isUnserved(answer: KubeAnswer): boolean {
  return statusOf(answer.text).details?.name === undefined;
}
