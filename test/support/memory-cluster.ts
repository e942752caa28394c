import { Failure } from "../../shared/errors.ts";
import type { KubeReader, KubeWriter, ListQuery, ObjectName } from "../../shared/ports.ts";
import {
  type KubeObject,
  type ObjectMeta,
  type ObjectOf,
  type ResourceDefinition,
  subjectOf,
} from "../../shared/resource.ts";

/** A cluster in memory that treats writes as the API server does: versions, status, finalizers, owners. */
export interface MemoryCluster extends KubeReader, KubeWriter {
  /** Deletes as `kubectl delete` does. */
  delete(kind: ResourceDefinition, name: string): void;
}

type Stored = KubeObject & { readonly spec?: object; readonly status?: object };

/** Starts empty. Objects are handed out as they are stored: nobody may change them. */
export function createMemoryCluster(): MemoryCluster {
  const objects = new Map<string, Stored>();
  let version = 0;

  const put = (kind: ResourceDefinition, object: Stored): Stored => {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++version) } };
    const { deletionTimestamp, finalizers = [] } = stored.metadata;
    if (deletionTimestamp !== undefined && finalizers.length === 0) drop(kind, stored);
    else objects.set(keyOf(kind, stored.metadata), stored);
    return stored;
  };
  const drop = (kind: ResourceDefinition, { metadata }: Stored) => {
    objects.delete(keyOf(kind, metadata));
    for (const [key, each] of [...objects]) {
      if (!each.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid)) continue;
      end({ ...kind, plural: key.split("/")[0] ?? "" }, each);
    }
  };
  const end = (kind: ResourceDefinition, object: Stored) => {
    if (object.metadata.deletionTimestamp !== undefined) return;
    put(kind, { ...object, metadata: { ...object.metadata, deletionTimestamp: "2026-05-04T12:00:00Z" } });
  };
  const current = (kind: ResourceDefinition, object: KubeObject): Stored => {
    const found = objects.get(keyOf(kind, object.metadata));
    const same = found?.metadata.resourceVersion === object.metadata.resourceVersion;
    if (found && same) return found;
    throw new Failure("Conflict", `${keyOf(kind, object.metadata)} is another by now`);
  };

  return {
    async get<R extends ResourceDefinition>(kind: R, name: string | ObjectName) {
      return objects.get(keyOf(kind, typeof name === "string" ? { name } : name)) as ObjectOf<R> | undefined;
    },
    async list<R extends ResourceDefinition>(kind: R, { labels = {} }: ListQuery = {}) {
      const wanted = Object.entries(labels);
      const found = [...objects].filter(([key, { metadata }]) => {
        return key.startsWith(`${kind.plural}/`) && wanted.every(([name, value]) => metadata.labels?.[name] === value);
      });
      return found.map(([, object]) => object) as unknown as readonly ObjectOf<R>[];
    },
    async create(kind, object) {
      if (objects.has(keyOf(kind, object.metadata))) {
        throw new Failure("Conflict", `${keyOf(kind, object.metadata)} exists already`);
      }
      const { status: _, ...rest } = object as Stored;
      const metadata = { ...rest.metadata, uid: `uid-${version}`, creationTimestamp: "2026-05-04T12:00:00Z" };
      return put(kind, { ...rest, metadata });
    },
    async apply(kind, object) {
      const found = objects.get(keyOf(kind, object.metadata));
      const { uid } = object.metadata;
      if (!found && uid === undefined) return this.create(kind, object, "");
      if (!found || (uid !== undefined && found.metadata.uid !== uid)) {
        throw new Failure("Conflict", `${keyOf(kind, object.metadata)} is not the object that was meant`);
      }
      const spec = { ...found.spec, ...(object as Stored).spec };
      return put(kind, { ...found, metadata: merged(found.metadata, object.metadata), spec });
    },
    async replaceStatus(kind, object) {
      const { status } = object as Stored;
      return put(kind, { ...current(kind, object), ...(status ? { status } : {}) });
    },
    async replace(kind, object) {
      const { status } = current(kind, object);
      return put(kind, { ...object, ...(status ? { status } : {}) });
    },
    async remove(kind, object, asRead) {
      if (asRead && objects.has(keyOf(kind, object.metadata))) current(kind, object);
      const found = objects.get(keyOf(kind, object.metadata));
      if (found && found.metadata.uid === object.metadata.uid) end(kind, found);
    },
    delete(kind, name) {
      const found = objects.get(keyOf(kind, { name }));
      if (found) end(kind, found);
    },
  };
}

function merged(before: ObjectMeta, applied: ObjectMeta): ObjectMeta {
  const finalizers = [...new Set([...(before.finalizers ?? []), ...(applied.finalizers ?? [])])];
  return {
    ...before,
    ...(before.labels || applied.labels ? { labels: { ...before.labels, ...applied.labels } } : {}),
    ...(finalizers.length > 0 ? { finalizers } : {}),
  };
}

function keyOf(kind: ResourceDefinition, { name, namespace }: ObjectName): string {
  return subjectOf(kind, { name, ...(namespace === undefined ? {} : { namespace }) });
}
