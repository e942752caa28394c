import type { KubeReader, ListQuery, ObjectName, WatchEvent } from "../ports.ts";
import type { KubeObject, ObjectOf, ResourceDefinition } from "../resource.ts";
import type { Kube } from "./kubernetes.ts";

/** A reader that keeps some kinds in memory and follows them. */
export interface CachedReader extends KubeReader {
  /** Ends the watches. */
  stop(): void;
}

/**
 * Lists of the given kinds come from memory, kept up by a watch that begins with the first list of a kind; a list
 * waits until that kind is whole. An object asked for by name is always read from the server, and what it brings is
 * in the lists from then on: who has just changed an object finds it so. Other kinds pass through. A watch that the
 * server refuses fails the lists that wait for it and is begun anew with the next.
 */
export function cachedReader(
  kube: Pick<Kube, "get" | "list" | "watch">,
  kinds: readonly ResourceDefinition[],
): CachedReader {
  const stopping = new AbortController();
  const followed = new Map<ResourceDefinition, Followed>();
  const follow = (kind: ResourceDefinition): Followed => {
    const known = followed.get(kind);
    if (known) return known;
    const begun = begin(kube, kind, stopping.signal);
    followed.set(kind, begun);
    begun.ended.catch(() => followed.delete(kind));
    return begun;
  };
  return {
    async get<R extends ResourceDefinition>(kind: R, name: string | ObjectName) {
      const object = await kube.get(kind, name);
      followed.get(kind)?.objects.read(typeof name === "string" ? { name } : name, object);
      return object;
    },
    async list<R extends ResourceDefinition>(kind: R, query: ListQuery = {}) {
      if (!kinds.includes(kind) || query.labelSelector !== undefined) return kube.list(kind, query);
      const { objects, whole, ended } = follow(kind);
      await Promise.race([whole, ended]);
      return objects.list(query) as readonly ObjectOf<R>[];
    },
    stop: () => stopping.abort(),
  };
}

interface Followed {
  readonly objects: Objects;
  /** Resolved once everything that existed at the start is there. */
  readonly whole: Promise<void>;
  /** Rejected where the server refuses the watch; else resolved when it is stopped. */
  readonly ended: Promise<void>;
}

function begin(kube: Pick<Kube, "watch">, kind: ResourceDefinition, signal: AbortSignal): Followed {
  const objects = createObjects();
  const whole = Promise.withResolvers<void>();
  const ended = (async () => {
    for await (const event of kube.watch(kind, { signal, listed: () => whole.resolve() })) objects.note(event);
  })();
  return { objects, whole: whole.promise, ended };
}

interface Objects {
  note(event: WatchEvent): void;
  /** What the server said of one object just now. */
  read(name: ObjectName, object: KubeObject | undefined): void;
  list(query: ListQuery): readonly KubeObject[];
}

function createObjects(): Objects {
  const known = new Map<string, KubeObject>();
  let snapshot: Snapshot | undefined;
  const put = (object: KubeObject) => {
    const key = keyOf(object.metadata);
    if (!isNewer(object, known.get(key))) return;
    known.set(key, object);
    snapshot = undefined;
  };
  const drop = (key: string) => {
    if (known.delete(key)) snapshot = undefined;
  };
  return {
    note: ({ type, object }) => {
      const key = keyOf(object.metadata);
      // An object made anew under the name is not the one that went.
      if (type !== "DELETED") put(object);
      else if (known.get(key)?.metadata.uid === object.metadata.uid) drop(key);
    },
    read: (name, object) => (object ? put(object) : drop(keyOf(name))),
    list: ({ namespace, labels = {} }) => {
      snapshot ??= snapshotOf(known);
      const [first, ...others] = Object.entries(labels);
      const found = first ? snapshot.labelled(...first) : snapshot.all;
      if (namespace === undefined && others.length === 0) return found;
      return found.filter(({ metadata }) => {
        if (namespace !== undefined && metadata.namespace !== namespace) return false;
        return others.every(([key, value]) => metadata.labels?.[key] === value);
      });
    },
  };
}

/** All objects in order, the same array until one changes, and those with a label, found once for each label asked for. */
interface Snapshot {
  readonly all: readonly KubeObject[];
  labelled(key: string, value: string): readonly KubeObject[];
}

function snapshotOf(known: ReadonlyMap<string, KubeObject>): Snapshot {
  const all = [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  const byLabel = new Map<string, ReadonlyMap<string | undefined, readonly KubeObject[]>>();
  return {
    all,
    labelled(key, value) {
      const groups = byLabel.get(key) ?? Map.groupBy(all, ({ metadata }) => metadata.labels?.[key]);
      byLabel.set(key, groups);
      return groups.get(value) ?? [];
    },
  };
}

/** Another uid is another object; of one object the higher resourceVersion is the later, and the same is no news. */
function isNewer({ metadata }: KubeObject, before: KubeObject | undefined): boolean {
  if (!before || before.metadata.uid !== metadata.uid) return true;
  return Number(metadata.resourceVersion) > Number(before.metadata.resourceVersion);
}

function keyOf({ namespace = "", name }: ObjectName): string {
  return `${namespace}/${name}`;
}
