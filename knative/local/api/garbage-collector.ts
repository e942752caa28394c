import { type DeleteOptions, deleteEntry } from "./delete.ts";
import { type KubeObject, type OwnerReference, parseObject } from "./object.ts";
import { removeObject, replaceObject } from "./objects.ts";
import type { Change, Entry, ObjectId } from "./storage.ts";
import { keyOf, idOf as storedId } from "./storage-key.ts";
import { type Backend, idOf } from "./target.ts";
import { nothingHolds } from "./update.ts";
import { startWorker, type Worker } from "./worker.ts";

const foreground = "foregroundDeletion";
const orphan = "orphan";

/**
 * Removes objects whose owners are gone, and carries out foreground and orphan deletion. It works in the
 * background, so a deletion is answered before its dependents are gone, as on the real server.
 */
export function startGarbageCollector(backend: Backend, report: (item: string, error: unknown) => void): Worker {
  const dependents = new Map<string, Map<string, ObjectId>>();
  const worker = startWorker((key) => collect(backend, dependents, key), report);
  const stop = backend.storage.subscribe("*", (change) => notice(worker, dependents, change));
  for (const kind of new Set(backend.registry.kinds())) {
    for (const entry of backend.storage.list(idOf(kind, "", "").resource)) {
      notice(worker, dependents, { type: "ADDED", revision: entry.revision, entry, previous: undefined });
    }
  }
  return {
    add: worker.add,
    stop: () => {
      stop();
      return worker.stop();
    },
  };
}

type Dependents = Map<string, Map<string, ObjectId>>;

function notice(worker: Worker, dependents: Dependents, { type, entry, previous }: Change): void {
  const owners = type === "DELETED" ? [] : ownersIn(entry);
  const before = ownersBefore(previous);
  // Most objects have neither owners nor anything that holds them.
  if (type !== "DELETED" && owners.length === 0 && before.length === 0 && !isHeld(entry)) return;
  const key = keyOf(entry);
  for (const owner of before) dependents.get(owner.uid)?.delete(key);
  for (const owner of owners) {
    const known = dependents.get(owner.uid) ?? new Map<string, ObjectId>();
    dependents.set(owner.uid, known.set(key, entry));
  }
  if (type === "DELETED") noticeRemoval(worker, dependents, entry);
  else if (owners.length > 0 || isHeld(entry)) worker.add(key);
}

function noticeRemoval(worker: Worker, dependents: Dependents, entry: Entry): void {
  const object = parseObject(entry.text);
  const { uid = "" } = object.metadata;
  for (const key of dependents.get(uid)?.keys() ?? []) worker.add(key);
  dependents.delete(uid);
  // An owner that waits for this dependent may go now.
  for (const owner of ownersIn(entry))
    worker.add(`${ownerMark}${owner.apiVersion}|${owner.kind}|${entry.namespace}|${owner.name}`);
}

const ownerMark = "owner|";

// Looking through the text of every entry a second time, when the next one takes its place, would cost each write.
const owned = new WeakSet<Entry>();

function ownersBefore(previous: Entry | undefined): readonly OwnerReference[] {
  return previous !== undefined && owned.has(previous) ? ownersIn(previous) : [];
}

function ownersIn(entry: Entry): readonly OwnerReference[] {
  if (!entry.text.includes('"ownerReferences"')) return [];
  owned.add(entry);
  return parseObject(entry.text).metadata.ownerReferences ?? [];
}

function isHeld(entry: Entry): boolean {
  return (
    entry.text.includes('"deletionTimestamp"') &&
    (entry.text.includes(`"${foreground}"`) || entry.text.includes(`"${orphan}"`))
  );
}

async function collect(backend: Backend, dependents: Dependents, key: string): Promise<undefined> {
  const id = key.startsWith(ownerMark) ? ownerId(backend, key) : storedId(key);
  const entry = id === undefined ? undefined : backend.storage.get(id);
  if (entry === undefined) return;
  const object = parseObject(entry.text);
  if (object.metadata.deletionTimestamp !== undefined) await finish(backend, dependents, entry);
  if ((object.metadata.ownerReferences ?? []).length > 0) await checkOwners(backend, entry, object);
}

function ownerId(backend: Backend, item: string): ObjectId | undefined {
  const [apiVersion = "", kindName = "", namespace = "", name = ""] = item.slice(ownerMark.length).split("|");
  const kind = backend.registry.ofKind(apiVersion, kindName);
  return kind === undefined ? undefined : idOf(kind, namespace, name);
}

async function finish(backend: Backend, dependents: Dependents, entry: Entry): Promise<void> {
  const object = parseObject(entry.text);
  const finalizers = object.metadata.finalizers ?? [];
  const { uid = "" } = object.metadata;
  const children = [...(dependents.get(uid)?.values() ?? [])].flatMap((id) => backend.storage.get(id) ?? []);
  if (finalizers.includes(orphan)) {
    for (const child of children) await dropOwner(backend, child, (owner) => owner.uid !== uid);
    return release(backend, entry, orphan);
  }
  if (!finalizers.includes(foreground)) return;
  for (const child of children) await removeEntry(backend, child, "Foreground");
  const blocking = children.flatMap((child) => backend.storage.get(child) ?? []).filter((child) => blocks(child, uid));
  if (blocking.length === 0) await release(backend, entry, foreground);
}

function blocks(child: Entry, uid: string): boolean {
  return ownersIn(child).some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true);
}

async function release(backend: Backend, entry: Entry, finalizer: string): Promise<void> {
  const current = backend.storage.get(entry);
  if (current === undefined) return;
  const object = parseObject(current.text);
  object.metadata.finalizers = (object.metadata.finalizers ?? []).filter((one) => one !== finalizer);
  if (object.metadata.finalizers.length === 0) delete object.metadata.finalizers;
  if (nothingHolds(object)) await removeObject(backend, current);
  else await replaceObject(backend, current, object);
}

async function dropOwner(backend: Backend, entry: Entry, keep: (owner: OwnerReference) => boolean): Promise<void> {
  const object = parseObject(entry.text);
  object.metadata.ownerReferences = (object.metadata.ownerReferences ?? []).filter(keep);
  if (object.metadata.ownerReferences.length === 0) delete object.metadata.ownerReferences;
  await replaceObject(backend, entry, object);
}

async function checkOwners(backend: Backend, entry: Entry, object: KubeObject): Promise<void> {
  const owners = object.metadata.ownerReferences ?? [];
  const gone = owners.filter((owner) => isGone(backend, entry.namespace, owner));
  if (gone.length === 0) return;
  if (gone.length === owners.length) await removeEntry(backend, entry, "Background");
  else await dropOwner(backend, entry, (owner) => !gone.some(({ uid }) => uid === owner.uid));
}

// An owner of a kind that is not served (yet) may well exist.
function isGone(backend: Backend, namespace: string, owner: OwnerReference): boolean {
  const kind = backend.registry.ofKind(owner.apiVersion, owner.kind);
  if (kind === undefined) return false;
  const entry = backend.storage.get(idOf(kind, namespace, owner.name));
  return entry === undefined || parseObject(entry.text).metadata.uid !== owner.uid;
}

async function removeEntry(backend: Backend, entry: Entry, propagation: DeleteOptions["propagation"]): Promise<void> {
  const kind = backend.registry.ofResource(entry.resource);
  const already =
    entry.text.includes('"deletionTimestamp"') && parseObject(entry.text).metadata.deletionTimestamp !== undefined;
  if (kind === undefined || already) return;
  await deleteEntry(backend, { kind, options: { dryRun: false, propagation } }, entry);
}
