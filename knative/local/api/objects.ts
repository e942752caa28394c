import { failure, unavailable } from "./errors.ts";
import { isRenamed, toStored } from "./event-fields.ts";
import type { KubeObject } from "./object.ts";
import type { KindInfo } from "./schema/kinds.ts";
import { type Entry, ObjectTooLarge, StorageUnavailable } from "./storage.ts";
import { storeText } from "./storage-text.ts";
import { type Backend, idOf } from "./target.ts";

/** Writes a new object. Rejects with WriteConflict when the name is taken, with 503 when the store is away. */
export function insertObject(backend: Backend, kind: KindInfo, object: KubeObject): Promise<Entry> {
  const id = idOf(kind, object.metadata.namespace ?? "", object.metadata.name);
  return guarded(backend.storage.create(id, textFor(backend, kind, object)));
}

/** Writes over the entry that was read; `kind` is that of the new object. Rejects with WriteConflict when it changed. */
export function replaceObject(backend: Backend, entry: Entry, object: KubeObject): Promise<Entry> {
  const kind = backend.registry.ofKind(object.apiVersion, object.kind);
  return guarded(
    backend.storage.update(entry, kind === undefined ? storeText(object) : textFor(backend, kind, object)),
  );
}

/** Takes the object away that was read. Rejects with WriteConflict when it changed. */
export function removeObject(backend: Backend, entry: Entry): Promise<number> {
  return guarded(backend.storage.remove(entry));
}

function textFor(backend: Backend, kind: KindInfo, object: KubeObject): string {
  const stored = isRenamed(kind) ? toStored(object) : object;
  return storeText({ ...stored, apiVersion: backend.registry.storedAs(kind) });
}

async function guarded<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof StorageUnavailable)
      throw unavailable(`${error.message}; check that nats-server runs and retry`);
    if (error instanceof ObjectTooLarge) {
      throw failure({ code: 413, reason: "RequestEntityTooLarge", message: error.message });
    }
    throw error;
  }
}
