import { compare } from "./field-compare.ts";
import { difference, type FieldSet, fromFieldsV1, isEmpty, toFieldsV1, union } from "./field-set.ts";
import {
  at,
  entriesOf,
  equal,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  type MutableObject,
  objectOf,
  textOf,
} from "./json.ts";
import type { KindInfo } from "./kinds.ts";
import { resolve, type Schema } from "./schema.ts";

/** Which fields one manager owns, from one kind of write. */
export interface Entry {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string;
  readonly fields: FieldSet;
}

/** Who an entry belongs to: everything but its version, time and fields. */
export type Owner = Pick<Entry, "manager" | "operation" | "subresource">;

const BEFORE_FIRST_APPLY = "before-first-apply";

/** The apiVersion of a kind ("apps/v1"). */
export function apiVersionOf(kind: KindInfo): string {
  return kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
}

/** True when the entry belongs to the owner. */
export function isSame(entry: Owner, owner: Owner): boolean {
  return (
    entry.manager === owner.manager && entry.operation === owner.operation && entry.subresource === owner.subresource
  );
}

/** The entries of an object's managedFields; undefined when one of them cannot be read. */
function readEntries(object: Json): readonly Entry[] | undefined {
  const entries = listOf(at(object, "metadata", "managedFields")).map(readEntry);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function readEntry(raw: Json): Entry | undefined {
  const operation = at(raw, "operation");
  const type = at(raw, "fieldsType");
  if ((operation !== "Apply" && operation !== "Update") || (type !== undefined && type !== "FieldsV1"))
    return undefined;
  return {
    manager: textOf(at(raw, "manager")),
    operation,
    apiVersion: textOf(at(raw, "apiVersion")),
    subresource: textOf(at(raw, "subresource")),
    time: textOf(at(raw, "time")),
    fields: fromFieldsV1(at(raw, "fieldsV1")),
  };
}

/**
 * The entries that an update starts from: those it brings along, else the stored ones. One empty entry ([{}]) asks to forget them all,
 * as Kubernetes has it.
 */
export function startingEntries(before: Json | undefined, after: Json): readonly Entry[] {
  const brought = listOf(at(after, "metadata", "managedFields"));
  const [only] = brought;
  if (brought.length === 1 && isObject(only) && entriesOf(only).length === 0) return [];
  const own = brought.length === 0 ? undefined : readEntries(after);
  return own ?? (before === undefined ? [] : (readEntries(before) ?? []));
}

/** The entries of a live object before an apply; when it has none, all it holds belongs to a manager of that name. */
export function liveEntries(kind: KindInfo, live: Json, time: string): readonly Entry[] {
  const entries = readEntries(live) ?? [];
  if (entries.length > 0) return entries;
  const { added, modified } = compare(kind.schema, blankOf(kind), withoutEntries(live));
  const fields = difference(union(added, modified), STRIPPED);
  return [
    { manager: BEFORE_FIRST_APPLY, operation: "Update", apiVersion: apiVersionOf(kind), subresource: "", time, fields },
  ];
}

/** The object as it is before its first write: structures and required lists exist always, empty. */
export function blankOf(kind: KindInfo): JsonObject {
  if (kind.origin === "crd" || kind.schema === undefined) return {};
  const known = blanks.get(kind.schema) ?? blank(kind.schema);
  blanks.set(kind.schema, known);
  return known;
}

const blanks = new WeakMap<Schema, JsonObject>();

function blank(schema: Schema): JsonObject {
  const out: MutableObject = {};
  const node = resolve(schema);
  for (const [key, raw] of Object.entries(node.properties ?? {})) {
    const property = resolve(raw);
    if (isObject(property.default) && property.type === "object") out[key] = blank(property);
    else if (property.type === "array" && node.required?.includes(key)) out[key] = [];
  }
  return out;
}

/** The live object itself when the next one differs from it in nothing but the times of its managedFields: such a write is none. */
export function unlessOnlyTimes(live: Json, next: Json): Json {
  const timeless = (object: Json): Json =>
    withEntries(
      object,
      (readEntries(object) ?? []).map((entry) => ({ ...entry, time: "" })),
    );
  return equal(timeless(live), timeless(next)) ? live : next;
}

/** The object without its managedFields. */
export function withoutEntries(object: Json): JsonObject {
  const metadata = at(object, "metadata");
  if (!isObject(metadata) || metadata["managedFields"] === undefined) return objectOf(object);
  const { managedFields: _, ...rest } = metadata;
  return { ...objectOf(object), metadata: rest };
}

/** The object with these entries as its managedFields, sorted as the API server sorts them; entries without fields are left out. */
export function withEntries(object: Json, entries: readonly Entry[]): JsonObject {
  const bare = withoutEntries(object);
  const kept = entries.filter((entry) => !isEmpty(entry.fields)).sort(inOrder);
  if (kept.length === 0) return bare;
  return { ...bare, metadata: { ...objectOf(bare["metadata"]), managedFields: kept.map(writeEntry) } };
}

function inOrder(left: Entry, right: Entry): number {
  const key = (entry: Entry): string =>
    [entry.operation, entry.time, entry.manager, entry.apiVersion, entry.subresource].join("\n");
  return key(left) < key(right) ? -1 : 1;
}

function writeEntry(entry: Entry): JsonObject {
  return {
    manager: entry.manager,
    operation: entry.operation,
    apiVersion: entry.apiVersion,
    ...(entry.time === "" ? {} : { time: entry.time }),
    fieldsType: "FieldsV1",
    fieldsV1: toFieldsV1(entry.fields),
    ...(entry.subresource === "" ? {} : { subresource: entry.subresource }),
  };
}

const SERVER_FIELDS = [
  "name",
  "namespace",
  "creationTimestamp",
  "selfLink",
  "uid",
  "clusterName",
  "generation",
  "managedFields",
  "resourceVersion",
];

/** What nobody owns because the server or the request's address sets it. */
export const STRIPPED: FieldSet = fromFieldsV1({
  "f:apiVersion": {},
  "f:kind": {},
  "f:metadata": { ".": {}, ...Object.fromEntries(SERVER_FIELDS.map((field) => [`f:${field}`, {}])) },
});
