import { apiVersionOf, parseObject } from "./object.ts";
import { at, listOf, textOf } from "./schema/json.ts";
import { builtinKinds, type KindInfo, kindsOfCrd } from "./schema/kinds.ts";
import { type Change, resourceKey, type Storage } from "./storage.ts";

/** The storage name of the definitions themselves. */
export const definitionsResource: string = resourceKey("apiextensions.k8s.io", "customresourcedefinitions");

/** Every kind that is served right now: the built-in ones and those of established definitions. */
export interface Registry {
  find(group: string, version: string, plural: string): KindInfo | undefined;
  /** The kind that an object or an owner reference names. */
  ofKind(apiVersion: string, kind: string): KindInfo | undefined;
  /** One version of the kind whose objects are stored under this resource. */
  ofResource(resource: string): KindInfo | undefined;
  kinds(): readonly KindInfo[];
  /** The apiVersion under which objects of the kind are stored. */
  storedAs(kind: KindInfo): string;
  /** True while the definition of a kind is being deleted. */
  isTerminating(kind: KindInfo): boolean;
  /** Grows whenever the set of kinds changes, for caches of what is derived from it. */
  generation(): number;
}

interface Tables {
  readonly kinds: readonly KindInfo[];
  readonly byPath: ReadonlyMap<string, KindInfo>;
  readonly byKind: ReadonlyMap<string, KindInfo>;
  readonly byResource: ReadonlyMap<string, KindInfo>;
  readonly stored: ReadonlyMap<string, string>;
  readonly terminating: ReadonlySet<string>;
}

interface Definition {
  readonly kinds: readonly KindInfo[];
  readonly stored: string;
  readonly terminating: boolean;
}

/** Follows the stored definitions, so that a written definition is served before its write is answered. */
export function openRegistry(storage: Storage): Registry {
  const custom = new Map<string, Definition>();
  let generation = 0;
  let tables: Tables | undefined;
  const follow = (change: Pick<Change, "type" | "entry">): void => {
    generation += 1;
    tables = undefined;
    const definition = readDefinition(change.entry.text);
    if (change.type === "DELETED" || definition === undefined) custom.delete(change.entry.name);
    else custom.set(change.entry.name, definition);
  };
  for (const entry of storage.list(definitionsResource)) follow({ type: "ADDED", entry });
  storage.subscribe(definitionsResource, follow);
  const current = (): Tables => {
    tables ??= buildTables(custom.values());
    return tables;
  };
  return {
    find: (group, version, plural) => current().byPath.get(`${group}/${version}/${plural}`),
    ofKind: (apiVersion, kind) => current().byKind.get(`${apiVersion}/${kind}`),
    ofResource: (resource) => current().byResource.get(resource),
    kinds: () => current().kinds,
    storedAs: (kind) => current().stored.get(resourceKey(kind.group, kind.plural)) ?? apiVersionOf(kind),
    isTerminating: (kind) => current().terminating.has(resourceKey(kind.group, kind.plural)),
    generation: () => generation,
  };
}

function readDefinition(text: string): Definition | undefined {
  const crd = parseObject(text);
  const established = listOf(at(crd, "status", "conditions")).some(
    (condition) => at(condition, "type") === "Established" && at(condition, "status") === "True",
  );
  if (!established) return undefined;
  const versions = listOf(at(crd, "spec", "versions"));
  const version = textOf(
    at(
      versions.find((candidate) => at(candidate, "storage") === true),
      "name",
    ),
  );
  return {
    kinds: kindsOfCrd(crd),
    stored: apiVersionOf({ group: textOf(at(crd, "spec", "group")), version }),
    terminating: crd.metadata.deletionTimestamp !== undefined,
  };
}

function buildTables(custom: Iterable<Definition>): Tables {
  const definitions = [...custom];
  const kinds = [...builtinKinds(), ...definitions.flatMap((definition) => definition.kinds)];
  const stored = new Map<string, string>();
  for (const kind of builtinKinds()) {
    if (kind.storage) stored.set(resourceKey(kind.group, kind.plural), apiVersionOf(kind));
  }
  const terminating = new Set<string>();
  for (const definition of definitions) {
    for (const kind of definition.kinds) {
      const resource = resourceKey(kind.group, kind.plural);
      stored.set(resource, definition.stored);
      if (definition.terminating) terminating.add(resource);
    }
  }
  return {
    kinds,
    stored,
    terminating,
    byPath: new Map(kinds.map((kind) => [`${kind.group}/${kind.version}/${kind.plural}`, kind])),
    byKind: new Map(kinds.map((kind) => [`${apiVersionOf(kind)}/${kind.kind}`, kind])),
    byResource: new Map(kinds.toReversed().map((kind) => [resourceKey(kind.group, kind.plural), kind])),
  };
}
