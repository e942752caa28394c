import { admitting, admitUpdate } from "./admission.ts";
import type { WriteContext } from "./create.ts";
import { conflict, invalid, notFound } from "./errors.ts";
import { checkObject, countsGenerations, fitted, specOf } from "./incoming.ts";
import { type KubeObject, timestamp } from "./object.ts";
import { removeObject, replaceObject } from "./objects.ts";
import { equal } from "./schema/json.ts";
import { unlessOnlyTimes, withoutEntries } from "./schema/managed-entries.ts";
import { trackUpdate } from "./schema/managed-fields.ts";
import { type Entry, WriteConflict } from "./storage.ts";
import { type Backend, idOf, objectIn, subjectOf, type Written } from "./target.ts";

/** A write to an object that exists: from what it is to what it should be. */
export interface Change extends WriteContext {
  readonly next: (live: KubeObject) => KubeObject;
  /** Applied objects bring their field managers along. */
  readonly applied?: boolean;
  /** The subresource that the manager is noted with where the write is one of the whole object. */
  readonly through?: string;
}

// Each attempt fails only because another write of the same object succeeded.
const attempts = 100;

/** Changes an object; somebody else's write in between makes it start over unless a resourceVersion was given. */
export async function changeObject(backend: Backend, change: Change): Promise<Written> {
  const { kind, namespace, name = "" } = change.target;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const entry = backend.storage.get(idOf(kind, namespace, name));
    if (entry === undefined) throw notFound(subjectOf(kind, name));
    const written = await unlessConflict(admitting(backend, kind, () => changeOnce(backend, change, entry)));
    if (written !== undefined) return written;
  }
  throw conflict(subjectOf(kind, name));
}

async function unlessConflict<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof WriteConflict) return undefined;
    throw error;
  }
}

async function changeOnce(backend: Backend, change: Change, entry: Entry): Promise<Written> {
  const { kind } = change.target;
  const live = objectIn(kind, entry);
  const wanted = change.next(live);
  checkIdentity(change, live, wanted);
  const prepared = prepare(backend, change, { live, wanted });
  const object = change.applied === true ? prepared : withManager(change, live, prepared);
  if (unchanged(live, object)) return { object: live, entry };
  if (change.options.dryRun) return { object, entry: undefined };
  return store(backend, entry, object);
}

async function store(backend: Backend, entry: Entry, object: KubeObject): Promise<Written> {
  const finished = object.metadata.deletionTimestamp !== undefined && nothingHolds(object);
  if (finished) {
    await removeObject(backend, entry);
    return { object, entry: undefined };
  }
  return { object, entry: await replaceObject(backend, entry, object) };
}

/** True when no finalizer keeps a deleted object alive. */
export function nothingHolds(object: KubeObject): boolean {
  const held = object.kind === "Namespace" && object.apiVersion === "v1" ? namespaceFinalizers(object) : [];
  return (object.metadata.finalizers ?? []).length === 0 && held.length === 0;
}

function namespaceFinalizers(object: KubeObject): readonly unknown[] {
  const spec = object["spec"] as { readonly finalizers?: readonly unknown[] } | undefined;
  return spec?.finalizers ?? [];
}

function checkIdentity({ target: { kind } }: Change, live: KubeObject, wanted: KubeObject): void {
  const subject = subjectOf(kind, live.metadata.name);
  const { uid, resourceVersion } = wanted.metadata;
  if (uid && uid !== live.metadata.uid) {
    throw conflict(
      subject,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid}`,
    );
  }
  if (resourceVersion && resourceVersion !== live.metadata.resourceVersion) throw conflict(subject);
}

function prepare(
  backend: Backend,
  change: Change,
  { live, wanted }: { live: KubeObject; wanted: KubeObject },
): KubeObject {
  const { kind, subresource } = change.target;
  const merged =
    subresource === "status" ? { ...live, ...only(wanted, "status"), metadata: statusMetadata(live, wanted) } : wanted;
  const object = fitted(kind, keepIdentity(live, merged), change);
  if (kind.subresources.status && subresource !== "status") restoreStatus(live, object);
  checkFinalizers(change, live, object);
  const admitted = admitUpdate(backend, kind, { live, object, ...(subresource === undefined ? {} : { subresource }) });
  countGeneration(change, live, admitted);
  checkObject(kind, admitted, live);
  return admitted;
}

function only(object: KubeObject, field: string): Partial<KubeObject> {
  return object[field] === undefined ? { [field]: undefined } : { [field]: object[field] };
}

function statusMetadata(live: KubeObject, wanted: KubeObject): KubeObject["metadata"] {
  const { managedFields } = wanted.metadata;
  return managedFields === undefined ? live.metadata : { ...live.metadata, managedFields };
}

function restoreStatus(live: KubeObject, object: KubeObject): void {
  if (live["status"] === undefined) delete object["status"];
  else object["status"] = live["status"];
}

const kept = [
  "name",
  "namespace",
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "generateName",
  "generation",
  "resourceVersion",
] as const;

function keepIdentity(live: KubeObject, object: KubeObject): KubeObject {
  const metadata: Record<string, unknown> = { ...object.metadata };
  for (const field of kept) {
    if (live.metadata[field] === undefined) delete metadata[field];
    else metadata[field] = live.metadata[field];
  }
  // Clients that do not send the field managers back mean to keep them.
  if (metadata["managedFields"] === undefined) metadata["managedFields"] = live.metadata.managedFields;
  delete metadata["selfLink"];
  return { ...object, metadata: metadata as KubeObject["metadata"] };
}

function checkFinalizers({ target: { kind } }: Change, live: KubeObject, object: KubeObject): void {
  if (live.metadata.deletionTimestamp === undefined) return;
  const before = new Set(live.metadata.finalizers ?? []);
  const added = (object.metadata.finalizers ?? []).filter((finalizer) => !before.has(finalizer));
  if (added.length === 0) return;
  const found = `found new finalizers []string{${added.map((one) => JSON.stringify(one)).join(", ")}}`;
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, ${found}`;
  throw invalid(subjectOf(kind, object.metadata.name), [
    { reason: "FieldValueForbidden", field: "metadata.finalizers", message },
  ]);
}

function countGeneration({ target: { kind, subresource } }: Change, live: KubeObject, object: KubeObject): void {
  if (!countsGenerations(kind) || subresource === "status") return;
  if (!equal(specOf(kind, live), specOf(kind, object)))
    object.metadata.generation = (live.metadata.generation ?? 0) + 1;
}

function withManager(change: Change, live: KubeObject, object: KubeObject): KubeObject {
  const { kind } = change.target;
  const subresource = change.through ?? change.target.subresource;
  const how = { manager: change.options.manager, force: false, time: timestamp() };
  const by = subresource === undefined ? how : { ...how, subresource };
  return trackUpdate(kind, { before: live, after: object }, by) as KubeObject;
}

// A write that changes nothing keeps its resourceVersion; the times of field managers do not count.
function unchanged(live: KubeObject, object: KubeObject): boolean {
  // Most writes differ in their content, and that is found out without looking at the metadata.
  const differs = Object.keys(object).some((key) => key !== "metadata" && !equal(live[key], object[key]));
  if (differs || !equal(withoutEntries(live), withoutEntries(object))) return false;
  return unlessOnlyTimes(live, object) === live;
}
