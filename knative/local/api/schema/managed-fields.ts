import { type Scope, scopeOf } from "./apply-scope.ts";
import { type Comparison, compare } from "./field-compare.ts";
import { mergeApplied } from "./field-merge.ts";
import { difference, emptySet, type FieldSet, intersection, isEmpty, pathsOf, sameSets, union } from "./field-set.ts";
import { fieldsOf, withoutFields } from "./field-walk.ts";
import { equal, type Json, type JsonObject, objectOf } from "./json.ts";
import type { KindInfo } from "./kinds.ts";
import {
  apiVersionOf,
  blankOf,
  type Entry,
  isSame,
  liveEntries,
  STRIPPED,
  startingEntries,
  withEntries,
  withoutEntries,
} from "./managed-entries.ts";
import { memberOf, propertyOf, resolve, type Schema } from "./schema.ts";

/** Who writes, when (RFC 3339, seconds), through which subresource, and whether others' fields may be taken over. */
export interface ApplyOptions {
  readonly manager: string;
  readonly force: boolean;
  readonly time: string;
  readonly subresource?: string;
}

/** A field that another manager owns with another value; `manager` is printed as kubectl shows it. */
export interface ApplyConflict {
  readonly manager: string;
  readonly field: string;
}

/** What server-side apply starts from: `live` is undefined when the object does not exist. */
export interface AppliedWrite {
  readonly live: Json | undefined;
  readonly applied: Json;
}

/** A write that was no apply: `before` is undefined on create. */
export interface TrackedWrite {
  readonly before: Json | undefined;
  readonly after: Json;
}

const MAX_UPDATERS = 10;
const ANCIENT = "ancient-changes";

/**
 * Server-side apply: the live object (undefined when it does not exist) with the applied configuration merged in and with what the
 * manager no longer sets removed. With conflicts and no force the object is the live one, unchanged. The result carries managedFields.
 */
export function applyPatch(
  kind: KindInfo,
  { live, applied }: AppliedWrite,
  options: ApplyOptions,
): { readonly object: Json; readonly conflicts: readonly ApplyConflict[] } {
  const scope = scopeOf(kind, options.subresource);
  const before = live === undefined ? {} : withoutEntries(live);
  const entries = live === undefined ? [] : liveEntries(kind, live, options.time);
  const wanted = scope.cut(withoutEntries(applied));
  const mine = { manager: options.manager, operation: "Apply", subresource: options.subresource ?? "" } as const;
  const last = entries.find((entry) => isSame(entry, mine));
  const set = scope.owned(fieldsOf(kind.schema, wanted));
  const claimed = difference(set, STRIPPED);
  const others = entries.filter((entry) => !isSame(entry, mine));
  const merged = mergeApplied(kind.schema, before, wanted) ?? wanted;
  const own: Entry = { ...mine, apiVersion: apiVersionOf(kind), time: options.time, fields: claimed };
  const owners = [...others.map((entry) => entry.fields), set];
  const pruned = removeAbandoned({ kind, merged, last: last?.fields ?? emptySet(), owners });
  const changes = scopedChanges(kind, scope, { before, after: pruned });
  const taken = union(changes.modified, changes.added);
  const conflicts = others.flatMap((entry) => conflictsWith(entry, intersection(entry.fields, taken)));
  if (conflicts.length > 0 && !options.force) return { object: live ?? applied, conflicts };
  const rest = others.map((entry) => ({
    ...entry,
    fields: difference(difference(entry.fields, taken), changes.removed),
  }));
  const idle = last !== undefined && equal(before, pruned) && sameSets(last.fields, claimed);
  return { object: withEntries(pruned, [...rest, idle ? { ...own, time: last.time } : own]), conflicts: [] };
}

/**
 * The object after a write that was no apply (create, update, patch), with managedFields saying who changed what. `before` is undefined
 * on create. An object whose managedFields were cleared stays without them until the next apply.
 */
export function trackUpdate(kind: KindInfo, { before, after }: TrackedWrite, options: ApplyOptions): Json {
  const entries = startingEntries(before, after);
  if (entries.length === 0 && before !== undefined) return withEntries(objectOf(after), []);
  const scope = scopeOf(kind, options.subresource);
  const was = before === undefined ? blankOf(kind) : withoutEntries(before);
  const is = withoutEntries(after);
  const changes = scopedChanges(kind, scope, { before: was, after: is });
  const taken = difference(union(changes.modified, changes.added), STRIPPED);
  const mine = { manager: options.manager, operation: "Update", subresource: options.subresource ?? "" } as const;
  const version = apiVersionOf(kind);
  const isMine = (entry: Entry): boolean => isSame(entry, mine) && entry.apiVersion === version;
  const last = entries.find(isMine);
  const rest = entries.filter((entry) => !isMine(entry)).map((entry) => lose(entry, changes.removed, taken));
  const fields = union(difference(last?.fields ?? emptySet(), changes.removed), taken);
  const time = last !== undefined && isEmpty(taken) && sameSets(last.fields, fields) ? last.time : options.time;
  return withEntries(is, capped([...rest, { ...mine, apiVersion: version, time, fields }], options.time));
}

interface Change {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

function scopedChanges(kind: KindInfo, scope: Scope, { before, after }: Change): Comparison {
  const { added, modified, removed } = compare(kind.schema, before, after);
  return { added: scope.owned(added), modified: scope.owned(modified), removed: scope.owned(removed) };
}

function lose(entry: Entry, removed: FieldSet, taken: FieldSet): Entry {
  return { ...entry, fields: difference(difference(entry.fields, taken), removed) };
}

/** Too many updaters would grow every object for ever: the oldest are joined into one entry. */
function capped(entries: readonly Entry[], time: string): readonly Entry[] {
  const updaters = entries.filter((entry) => entry.operation === "Update" && !isEmpty(entry.fields));
  if (updaters.length <= MAX_UPDATERS) return entries;
  const oldest = [...updaters].sort((a, b) => (a.time < b.time ? -1 : 1)).slice(0, updaters.length - MAX_UPDATERS + 1);
  const [first] = oldest;
  if (first === undefined) return entries;
  const fields = oldest.reduce((all, entry) => union(all, entry.fields), emptySet());
  const joined: Entry = { ...first, manager: ANCIENT, subresource: "", time: oldest.at(-1)?.time ?? time, fields };
  return [...entries.filter((entry) => !oldest.includes(entry)), joined];
}

interface Removal {
  readonly kind: KindInfo;
  readonly merged: Json;
  readonly last: FieldSet;
  readonly owners: readonly FieldSet[];
}

/** Removes what the manager owned by its last apply and nobody, including its new configuration, owns any more. */
function removeAbandoned({ kind, merged, last, owners }: Removal): JsonObject {
  if (isEmpty(last)) return objectOf(merged);
  const { schema } = kind;
  const named = (set: FieldSet): FieldSet => withNamedMembers(schema, set);
  const all = named(fieldsOf(schema, merged));
  const owned = named(owners.reduce(union, emptySet()));
  const cut = withoutFields(schema, merged, { fields: named(last) }) ?? {};
  const left = named(fieldsOf(schema, cut));
  const lost = intersection(difference(all, union(left, owned)), named(last));
  return objectOf(
    withoutFields(schema, merged, { fields: lost, keep: union(owned, difference(all, named(last))) }) ?? {},
  );
}

/** Members of structures count as owned by whoever owns something below them. */
function withNamedMembers(schema: Schema | undefined, set: FieldSet): FieldSet {
  const node = schema === undefined ? undefined : resolve(schema);
  const out: FieldSet = { own: set.own, children: new Map() };
  for (const [element, below] of set.children) {
    const name = element.startsWith("f:") ? element.slice(2) : undefined;
    const part = withNamedMembers(name === undefined ? node?.items : memberOf(node, name), below);
    const declared = name !== undefined && propertyOf(node, name) !== undefined && below.children.size > 0;
    out.children.set(element, declared ? { own: true, children: part.children } : part);
  }
  return out;
}

function conflictsWith(entry: Entry, fields: FieldSet): readonly ApplyConflict[] {
  const subresource = entry.subresource === "" ? "" : ` with subresource ${JSON.stringify(entry.subresource)}`;
  const version = entry.operation === "Update" ? ` using ${entry.apiVersion}` : "";
  return pathsOf(fields).map((field) => ({
    manager: `${JSON.stringify(entry.manager)}${subresource}${version}`,
    field,
  }));
}

/** The sentence that refuses an apply because of conflicts, as kubectl prints it. */
export function conflictMessage(conflicts: readonly ApplyConflict[]): string {
  const [only] = conflicts;
  if (conflicts.length === 1 && only !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${only.manager}: ${only.field}`;
  }
  const managers = [...new Set(conflicts.map((conflict) => conflict.manager))].sort();
  const lines = managers.flatMap((manager) => [
    `conflicts with ${manager}:`,
    ...conflicts.filter((conflict) => conflict.manager === manager).map((conflict) => `- ${conflict.field}`),
  ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}
