import { objectAnswer } from "./answers.ts";
import { decodeObject, readBody } from "./body.ts";
import { type Answer, type Call, jsonAnswer } from "./call.ts";
import { badRequest, conflict, forbidden, notFound } from "./errors.ts";
import { selectionOf } from "./list.ts";
import { type KubeObject, timestamp } from "./object.ts";
import { removeObject, replaceObject } from "./objects.ts";
import { listOf } from "./schema/json.ts";
import type { KindInfo } from "./schema/kinds.ts";
import { type Entry, resourceKey, WriteConflict } from "./storage.ts";
import { listHead } from "./tables.ts";
import { type Backend, idOf, objectIn, subjectOf, type Target } from "./target.ts";
import { nothingHolds } from "./update.ts";

/** How an object shall be deleted. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly propagation: "Background" | "Foreground" | "Orphan";
  readonly uid?: string;
  readonly resourceVersion?: string;
}

interface RawOptions {
  readonly dryRun?: readonly string[];
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

const policies = new Set(["Background", "Foreground", "Orphan"]);

/** Reads delete options from body and query. Throws 400. */
async function deleteOptions(call: Call): Promise<DeleteOptions> {
  const body = await readBody(call.request);
  const raw: RawOptions = body.bytes.length === 0 ? {} : (decodeObject(body) as RawOptions);
  const { query } = call;
  const orphan = raw.orphanDependents ?? (query.get("orphanDependents") === "true" ? true : undefined);
  const policy = raw.propagationPolicy ?? query.get("propagationPolicy") ?? (orphan === true ? "Orphan" : "Background");
  if (!policies.has(policy))
    throw badRequest(`invalid propagationPolicy ${JSON.stringify(policy)}: use Background, Foreground or Orphan`);
  return {
    dryRun: (raw.dryRun ?? query.getAll("dryRun")).includes("All"),
    propagation: policy as DeleteOptions["propagation"],
    ...raw.preconditions,
  };
}

/** Answers DELETE of one object. */
export async function deleteOne(backend: Backend, target: Target, call: Call): Promise<Answer> {
  const { kind, name = "" } = target;
  const options = await deleteOptions(call);
  const entry = backend.storage.get(idOf(kind, target.namespace, name));
  if (entry === undefined) throw notFound(subjectOf(kind, name));
  const left = await deleteEntry(backend, { kind, options }, entry);
  if (left !== undefined) return objectAnswer(call, kind, { code: 200, object: left });
  const object = objectIn(kind, entry);
  if (returnsObject.has(kind.kind) && kind.origin === "builtin") return objectAnswer(call, kind, { code: 200, object });
  return jsonAnswer(200, deletedStatus(kind, object));
}

// Kinds whose storage answers with the deleted object instead of a Status (ReturnDeletedObject).
const returnsObject = new Set([
  "Pod",
  "Service",
  "ServiceAccount",
  "PersistentVolumeClaim",
  "PersistentVolume",
  "PodTemplate",
  "ResourceQuota",
  "VolumeAttachment",
  "StorageClass",
  "CSINode",
  "CSIDriver",
]);

function deletedStatus(kind: KindInfo, { metadata: { name, uid } }: KubeObject): object {
  const group = kind.group === "" ? {} : { group: kind.group };
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...group, kind: kind.plural, uid },
  };
}

/** Answers DELETE of a collection with the list of what was deleted. */
export async function deleteMany(backend: Backend, target: Target, call: Call): Promise<Answer> {
  const { kind } = target;
  const options = await deleteOptions(call);
  const selection = selectionOf(kind, call.query);
  const namespace = target.namespace === "" ? undefined : target.namespace;
  const items: KubeObject[] = [];
  for (const entry of backend.storage.list(resourceKey(kind.group, kind.plural), namespace)) {
    const object = objectIn(kind, entry);
    if (selection !== undefined && !selection(object)) continue;
    await deleteEntry(backend, { kind, options }, entry);
    items.push(object);
  }
  const metadata = { resourceVersion: String(backend.storage.revision()) };
  return jsonAnswer(200, { ...listHead(kind), metadata, items });
}

const attempts = 8;

/** Deletes one object, or marks it while finalizers hold it; answers with what is left of it. */
export async function deleteEntry(
  backend: Backend,
  how: { readonly kind: KindInfo; readonly options: DeleteOptions },
  first: Entry,
): Promise<KubeObject | undefined> {
  let entry: Entry | undefined = first;
  for (let attempt = 1; entry !== undefined; attempt += 1) {
    try {
      return await deleteOnce(backend, how, entry);
    } catch (error) {
      if (!(error instanceof WriteConflict) || attempt >= attempts) throw error;
      entry = backend.storage.get(entry);
    }
  }
  return undefined;
}

async function deleteOnce(
  backend: Backend,
  { kind, options }: { kind: KindInfo; options: DeleteOptions },
  entry: Entry,
): Promise<KubeObject | undefined> {
  const object = objectIn(kind, entry);
  checkPreconditions(kind, object, options);
  refuseImmortal(kind, object);
  const marked = markDeleted(kind, object, options);
  if (nothingHolds(marked)) {
    if (!options.dryRun) await removeObject(backend, entry);
    return undefined;
  }
  if (options.dryRun || (object.metadata.deletionTimestamp !== undefined && sameFinalizers(object, marked)))
    return marked;
  return objectIn(kind, await replaceObject(backend, entry, marked));
}

function sameFinalizers(left: KubeObject, right: KubeObject): boolean {
  return (left.metadata.finalizers ?? []).join() === (right.metadata.finalizers ?? []).join();
}

function checkPreconditions(kind: KindInfo, { metadata }: KubeObject, options: DeleteOptions): void {
  // These messages name the kind where all others name the plural.
  const subject = { ...subjectOf(kind, metadata.name), plural: kind.kind };
  if (options.uid && options.uid !== metadata.uid) {
    throw conflict(
      subject,
      `the UID in the precondition (${options.uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (options.resourceVersion && options.resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      subject,
      `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

const immortal = new Set(["default", "kube-system", "kube-public"]);

function refuseImmortal(kind: KindInfo, { metadata }: KubeObject): void {
  if (kind.kind === "Namespace" && kind.group === "" && immortal.has(metadata.name)) {
    throw forbidden(subjectOf(kind, metadata.name), "this namespace may not be deleted");
  }
}

const policyFinalizers = { Foreground: "foregroundDeletion", Orphan: "orphan", Background: undefined } as const;

function markDeleted(kind: KindInfo, object: KubeObject, options: DeleteOptions): KubeObject {
  const marked = structuredClone(object);
  const { metadata } = marked;
  const wanted = policyFinalizers[options.propagation];
  const others = (metadata.finalizers ?? []).filter((one) => one !== "foregroundDeletion" && one !== "orphan");
  metadata.finalizers = wanted === undefined ? others : [...others, wanted];
  if (metadata.finalizers.length === 0) delete metadata.finalizers;
  if (metadata.deletionTimestamp === undefined) {
    metadata.deletionTimestamp = timestamp();
    metadata.deletionGracePeriodSeconds = 0;
    if (metadata.generation !== undefined) metadata.generation += 1;
  }
  if (kind.kind === "Namespace" && kind.group === "")
    marked["status"] = { ...(marked["status"] as object), phase: "Terminating" };
  if (kind.kind === "CustomResourceDefinition") noteTermination(marked);
  return marked;
}

function noteTermination(definition: KubeObject): void {
  const status = definition["status"] as { conditions?: never } | undefined;
  const others = listOf(status?.conditions).filter((one) => (one as { type?: string }).type !== "Terminating");
  const condition = {
    type: "Terminating",
    status: "True",
    lastTransitionTime: timestamp(),
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  };
  definition["status"] = { ...status, conditions: [...others, condition] };
}
