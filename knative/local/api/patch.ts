import { writtenAnswer } from "./answers.ts";
import { decodeJson, decodeYaml, readBody } from "./body.ts";
import type { Answer, Call } from "./call.ts";
import { createFrom, type WriteContext } from "./create.ts";
import { ApiError, applyConflict, badRequest, failure, invalid, notFound, unsupportedMediaType } from "./errors.ts";
import { refuseEscalation } from "./escalation.ts";
import { objectFor } from "./incoming.ts";
import { applyJsonPatch, applyMergePatch } from "./json-patches.ts";
import { type KubeObject, timestamp } from "./object.ts";
import { prune } from "./schema/defaults.ts";
import { isObject, type Json, type JsonObject, objectOf, textOf } from "./schema/json.ts";
import type { KindInfo } from "./schema/kinds.ts";
import { applyPatch, conflictMessage } from "./schema/managed-fields.ts";
import { surelySettled } from "./schema/quick-check.ts";
import { strategicMerge } from "./schema/strategic-merge.ts";
import { type Backend, idOf, objectIn, subjectOf, type Target, type Written } from "./target.ts";
import { changeObject } from "./update.ts";
import type { User } from "./user.ts";
import { writeOptions } from "./write-options.ts";

type Patcher = (kind: KindInfo, live: Json, patch: Json) => Json;

const patchers: Readonly<Record<string, Patcher>> = {
  "application/json-patch+json": (_, live, patch) => applyJsonPatch(live, patch),
  "application/merge-patch+json": (_, live, patch) => applyMergePatch(live, patch),
  "application/strategic-merge-patch+json": (kind, live, patch) => strategicMerge(kind, live, patch),
};

const applyType = "application/apply-patch+yaml";

/** The media types in which an object of a kind can be patched. */
export function patchTypes(kind: KindInfo): readonly string[] {
  const all = [...Object.keys(patchers), applyType];
  return kind.origin === "builtin" ? all : all.filter((type) => type !== "application/strategic-merge-patch+json");
}

/** Turns a patch body into the function from what is to what shall be. Throws 400 and 415. */
export function patcherOf(kind: KindInfo, type: string, text: string): (live: KubeObject) => KubeObject {
  const patcher = patchers[type];
  if (patcher === undefined || !patchTypes(kind).includes(type)) throw unsupportedMediaType(patchTypes(kind));
  const patch = decodeJson(text);
  return (live) => patcher(kind, live, patch) as KubeObject;
}

/** Answers PATCH of an object or of its status. */
export async function patchObject(backend: Backend, target: Target, call: Call): Promise<Answer> {
  const body = await readBody(call.request);
  const options = writeOptions(call);
  if (body.type === applyType) {
    const context = { target, options, warnings: call.warnings, user: call.user };
    return applyObject(backend, { context, call }, body.bytes.toString());
  }
  if (call.query.has("force")) throw forceForbidden();
  const patched = patcherOf(target.kind, body.type, body.bytes.toString());
  const next = (before: KubeObject): KubeObject => {
    const object = sameObject(
      target.kind,
      before,
      objectFor(target, patched(before) as unknown as Record<string, Json>),
    );
    refuseEscalation(backend, target, { user: call.user, object, before });
    return object;
  };
  const written = await changeObject(backend, { target, options, warnings: call.warnings, next });
  return writtenAnswer(call, target.kind, { code: 200, written });
}

async function applyObject(
  backend: Backend,
  { context, call }: { context: Applying; call: Call },
  text: string,
): Promise<Answer> {
  const { target } = context;
  if (!call.query.get("fieldManager")) throw managerRequired();
  const body = decodeYaml(text);
  if (!isObject(body)) throw badRequest("an apply patch is one object with apiVersion, kind and the fields to own");
  const applied = objectFor(target, body);
  if (applied.metadata.managedFields !== undefined) throw badRequest("metadata.managedFields must be nil");
  refuseUndeclared(target.kind, applied, objectOf(body["metadata"]));
  const { kind, name = "" } = target;
  const exists = backend.storage.get(idOf(kind, target.namespace, name)) !== undefined;
  if (!exists && target.subresource !== undefined) throw notFound(subjectOf(kind, name));
  if (!exists) {
    const created = await unlessTaken(applyNew(backend, context, applied));
    if (created !== undefined) return writtenAnswer(call, kind, { code: 201, written: created });
  }
  return writtenAnswer(call, kind, { code: 200, written: await applyOver(backend, context, applied) });
}

// What is applied must be in the schema, however strict the validation; the real server calls that its own error.
function refuseUndeclared(kind: KindInfo, applied: KubeObject, sent: JsonObject): void {
  if (surelySettled(kind, applied)) return;
  const [first, ...more] = prune(kind, applied as unknown as Json).unknown;
  if (first === undefined) return;
  const which = `${textOf(sent["namespace"])}/${textOf(sent["name"])}; ${applied.apiVersion.includes("/") ? "" : "/"}${applied.apiVersion}, Kind=${applied.kind}`;
  const lines = [first, ...more].map((field) => `.${field}: field not declared in schema`);
  const told = more.length === 0 ? lines.join("") : `errors:\n${lines.map((line) => `  ${line}`).join("\n")}`;
  throw failure({ code: 500, message: `failed to create typed patch object (${which}): ${told}` });
}

// Somebody else created it in the meantime: then this is a change, not a creation.
async function unlessTaken(creation: Promise<Written>): Promise<Written | undefined> {
  try {
    return await creation;
  } catch (error) {
    if (error instanceof ApiError && error.status.reason === "AlreadyExists") return undefined;
    throw error;
  }
}

interface Applying extends WriteContext {
  readonly user: User;
}

function applyOver(backend: Backend, { user, ...context }: Applying, applied: KubeObject): Promise<Written> {
  const { target } = context;
  const next = (before: KubeObject): KubeObject => {
    const object = sameObject(target.kind, before, merged(context, before, applied));
    refuseEscalation(backend, target, { user, object, before });
    return object;
  };
  return changeObject(backend, { ...context, next, applied: true });
}

function applyNew(backend: Backend, { user, ...context }: Applying, applied: KubeObject): Promise<Written> {
  const object = merged(context, undefined, applied);
  refuseEscalation(backend, context.target, { user, object });
  return createFrom(backend, { ...context, applied: true }, object);
}

function merged({ target, options }: WriteContext, live: KubeObject | undefined, applied: KubeObject): KubeObject {
  const how = { manager: options.manager, force: options.force, time: timestamp() };
  const { subresource } = target;
  const named = subresource === undefined ? how : { ...how, subresource };
  const { object, conflicts } = applyPatch(target.kind, { live, applied: structuredClone(applied) }, named);
  if (conflicts.length > 0 && !options.force) throw applyConflict(conflicts, conflictMessage(conflicts));
  return object as KubeObject;
}

// A PUT with another uid conflicts; a patch is refused, and told so twice.
function sameObject(kind: KindInfo, live: KubeObject, patched: KubeObject): KubeObject {
  const { uid } = patched.metadata;
  if (!uid || uid === live.metadata.uid) return patched;
  const message = `Invalid value: ${JSON.stringify(uid)}: field is immutable`;
  const cause = { reason: "FieldValueInvalid", field: "metadata.uid", message };
  throw invalid(subjectOf(kind, live.metadata.name), [cause, cause]);
}

function forceForbidden(): Error {
  const message = "Forbidden: may not be specified for non-apply patch";
  return invalid(patchOptions, [{ reason: "FieldValueForbidden", field: "force", message }]);
}

function managerRequired(): Error {
  const message = "Required value: is required for apply patch";
  return invalid(patchOptions, [{ reason: "FieldValueRequired", field: "fieldManager", message }]);
}

const patchOptions = { group: "meta.k8s.io", plural: "PatchOptions", kind: "PatchOptions", name: "" };

/** Reads one object of the store as the patch functions see it; undefined when it is gone. */
export function liveObject(backend: Backend, target: Target): KubeObject | undefined {
  const entry = backend.storage.get(idOf(target.kind, target.namespace, target.name ?? ""));
  return entry === undefined ? undefined : objectIn(target.kind, entry);
}
