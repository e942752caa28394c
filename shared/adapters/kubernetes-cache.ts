import { Failure } from "../errors.ts";
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
      const read = followed.get(kind)?.objects.reading(typeof name === "string" ? { name } : name);
      const object = await kube.get(kind, name);
      read?.(object);
      return object;
    },
    async list<R extends ResourceDefinition>(kind: R, query: ListQuery = {}) {
      if (!kinds.includes(kind) || query.labelSelector !== undefined) return kube.list(kind, query);
      const { objects, whole, ended } = follow(kind);
      await Promise.race([whole, ended.then(() => Promise.reject(broken(kind)))]);
      return objects.list(query) as readonly ObjectOf<R>[];
    },
    stop: () => stopping.abort(),
  };
}

function broken({ plural }: ResourceDefinition): Failure {
  return new Failure("Unavailable", `the watch of ${plural} ended before everything was listed; try again`);
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
  /** Notes what the server says of one object, told when the answer is there: the watch may have overtaken it. */
  reading(name: ObjectName): (object: KubeObject | undefined) => void;
  list(query: ListQuery): readonly KubeObject[];
}

function createObjects(): Objects {
  const known = new Map<string, KubeObject>();
  const gone = recent(MAX_GONE);
  let snapshot: Snapshot | undefined;
  const put = (object: KubeObject) => {
    const key = keyOf(object.metadata);
    if (gone.has(object.metadata.uid) || !isNewer(object, known.get(key))) return;
    known.set(key, object);
    snapshot = undefined;
  };
  const drop = (key: string) => {
    gone.add(known.get(key)?.metadata.uid);
    if (known.delete(key)) snapshot = undefined;
  };
  return {
    note: ({ type, object }) => {
      const key = keyOf(object.metadata);
      // An object made anew under the name is not the one that went.
      if (type !== "DELETED") put(object);
      else if (known.get(key)?.metadata.uid === object.metadata.uid) drop(key);
    },
    reading: (name) => {
      const before = known.get(keyOf(name));
      return (object) => {
        if (object) put(object);
        else if (before && known.get(keyOf(name)) === before) drop(keyOf(name));
      };
    },
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

/** Objects that are gone do not come back: late answers about so many of the last ones are not believed. */
const MAX_GONE = 1_000;

function recent(limit: number) {
  const uids = new Set<string>();
  return {
    has: (uid: string | undefined) => uid !== undefined && uids.has(uid),
    add: (uid: string | undefined) => {
      if (uid !== undefined) uids.add(uid);
      const [oldest] = uids;
      if (uids.size > limit && oldest !== undefined) uids.delete(oldest);
    },
  };
}

/** Another uid is another object; of one object the higher resourceVersion is the later, and the same one is no news. */
function isNewer({ metadata }: KubeObject, before: KubeObject | undefined): boolean {
  if (!before || before.metadata.uid !== metadata.uid) return true;
  const [now, then] = [metadata.resourceVersion, before.metadata.resourceVersion];
  // Not "larger": versions that are no numbers cannot be compared, and the later news is believed.
  return now !== then && !(Number(now) < Number(then));
}

function keyOf({ namespace = "", name }: ObjectName): string {
  return `${namespace}/${name}`;
}
