import { randomInt } from "node:crypto";
import { badRequest, invalid } from "./errors.ts";
import { apiVersionOf, type KubeObject, type ObjectMeta } from "./object.ts";
import { builtinDefaults } from "./schema/builtin-defaults.ts";
import { applyDefaults, prune } from "./schema/defaults.ts";
import { isObject, type Json, type JsonObject, objectOf, textOf } from "./schema/json.ts";
import type { KindInfo } from "./schema/kinds.ts";
import { surelySettled } from "./schema/quick-check.ts";
import { type FieldError, validateCrd, validateObject } from "./schema/validate.ts";
import { subjectOf, type Target } from "./target.ts";
import type { WriteOptions } from "./write-options.ts";

/** Takes a decoded body as an object of the target's kind: checks kind, name and namespace. Throws 400. */
export function objectFor(target: Target, body: JsonObject): KubeObject {
  const { kind } = target;
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...body } as KubeObject;
  if (object.apiVersion !== apiVersionOf(kind)) {
    throw badRequest(
      `the API version in the data (${object.apiVersion}) does not match the expected API version (${apiVersionOf(kind)})`,
    );
  }
  if (object.kind !== kind.kind) {
    throw badRequest(
      `${object.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: the kind in the data does not match the path`,
    );
  }
  const metadata: unknown = body["metadata"] ?? {};
  if (!isObject(metadata)) throw badRequest(`${kind.kind} cannot be handled: metadata must be an object`);
  object.metadata = { ...(metadata as unknown as ObjectMeta) };
  placeObject(target, object.metadata);
  dropEmpty(object.metadata);
  return object;
}

function placeObject(target: Target, metadata: ObjectMeta): void {
  const { kind, name } = target;
  if (name !== undefined && metadata.name !== undefined && metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
  if (name !== undefined) metadata.name = name;
  if (!kind.namespaced) delete metadata.namespace;
  else if (metadata.namespace && metadata.namespace !== target.namespace) {
    throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`);
  } else metadata.namespace = target.namespace;
}

// Empty lists and maps of the metadata are as good as none.
function dropEmpty(metadata: ObjectMeta): void {
  for (const field of ["labels", "annotations", "finalizers", "ownerReferences"] as const) {
    const value = metadata[field];
    if (typeof value === "object" && value !== null && Object.keys(value).length === 0) delete metadata[field];
  }
}

const nameLetters = "bcdfghjklmnpqrstvwxz2456789";

/** Gives an object that only has a generateName its name. */
export function generateName(metadata: ObjectMeta): void {
  if (metadata.name || !metadata.generateName) return;
  const suffix = Array.from({ length: 5 }, () => nameLetters[randomInt(nameLetters.length)]).join("");
  metadata.name = `${metadata.generateName.slice(0, 58)}${suffix}`;
}

/** How strict to be with unknown fields, and where to warn about them. */
export interface Fitting {
  readonly options: Pick<WriteOptions, "validation">;
  readonly warnings: string[];
}

/** Drops what the schema does not know (warning or refusing as asked) and fills defaults in. Throws 400. */
export function fitted(kind: KindInfo, object: KubeObject, context: Fitting): KubeObject {
  if (surelySettled(kind, object)) {
    return kind.origin === "builtin" ? (builtinDefaults(kind, object as JsonObject) as KubeObject) : object;
  }
  const pruned = prune(kind, object);
  reportUnknown(kind, pruned.unknown, context);
  return applyDefaults(kind, pruned.object) as KubeObject;
}

function reportUnknown(kind: KindInfo, unknown: readonly string[], context: Fitting): void {
  if (unknown.length === 0) return;
  const { validation } = context.options;
  const texts = unknown.map((field) => `unknown field ${JSON.stringify(field)}`);
  if (validation === "Warn") context.warnings.push(...texts);
  if (validation !== "Strict") return;
  throw badRequest(`${handledAs(kind)}: strict decoding error: ${texts.join(", ")}`);
}

function handledAs(kind: KindInfo): string {
  return `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}`;
}

/** Refuses an object that breaks its schema or rules. Throws 422. */
export function checkObject(kind: KindInfo, object: KubeObject, old?: KubeObject): void {
  const own = isDefinition(kind) ? validateCrd(object) : contentErrors(kind, object);
  const errors = [...validateObject(kind, object, old), ...own];
  if (errors.length === 0) return;
  // Kubernetes' own kinds are decoded into Go structs, so a value of the wrong type is no valid body at all.
  const wrongType =
    kind.origin === "builtin" ? errors.find(({ reason }) => reason === "FieldValueTypeInvalid") : undefined;
  if (wrongType !== undefined) throw badRequest(`${handledAs(kind)}: ${wrongType.field}: ${wrongType.message}`);
  throw invalid(subjectOf(kind, object.metadata.name ?? ""), errors);
}

const contentLimit = 1024 * 1024;

// The bytes of a Secret or ConfigMap count decoded, all entries together.
function contentErrors(kind: KindInfo, object: KubeObject): readonly FieldError[] {
  if (kind.group !== "" || (kind.kind !== "Secret" && kind.kind !== "ConfigMap")) return [];
  const sizeOf = (encoding: BufferEncoding, field: string): number =>
    Object.values(objectOf(object[field])).reduce<number>(
      (sum, value) => sum + Buffer.byteLength(textOf(value), encoding),
      0,
    );
  const text = sizeOf(kind.kind === "Secret" ? "base64" : "utf8", "data");
  if (text + sizeOf("base64", "binaryData") <= contentLimit) return [];
  const message = `Too long: may not be more than ${contentLimit} bytes`;
  return [{ reason: "FieldValueTooLong", field: kind.kind === "Secret" ? "data" : "", message }];
}

function isDefinition(kind: KindInfo): boolean {
  return kind.kind === "CustomResourceDefinition" && kind.group === "apiextensions.k8s.io";
}

/** The parts of an object whose change counts as a new generation. */
export function specOf(kind: KindInfo, object: KubeObject): Json {
  const { metadata: _, apiVersion: _version, kind: _kind, ...rest } = object;
  if (!kind.subresources.status) return rest as Json;
  const { status: _status, ...spec } = rest;
  return spec as Json;
}

const coreWithGeneration = new Set(["Pod", "ReplicationController"]);
const countedGroups = new Set(["apps", "batch", "networking.k8s.io", "policy", "admissionregistration.k8s.io"]);

/** Whether objects of a kind count generations: custom ones and the built-in ones with a controller of their own. */
export function countsGenerations(kind: KindInfo): boolean {
  if (kind.origin === "crd" || kind.kind === "CustomResourceDefinition") return true;
  return kind.group === "" ? coreWithGeneration.has(kind.kind) : countedGroups.has(kind.group);
}
