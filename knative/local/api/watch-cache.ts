import type { Change, ChangeListener, Entry, ObjectId } from "./storage.ts";

/** How much of the past is kept for watches that resume. */
export interface HistoryLimits {
  readonly changes: number;
  readonly bytes: number;
}

/** Memory of 10,000 changes or 64 MiB of object text, whichever ends first. */
export const defaultHistory: HistoryLimits = { changes: 10_000, bytes: 64 * 1024 * 1024 };

interface Collection {
  /** By namespace, then by name: one key of both would have to be put together for every look. */
  readonly entries: Map<string, Map<string, Entry>>;
  sorted: Entry[] | undefined;
  /** A caller holds `sorted`: it must be copied before it is changed. */
  lent: boolean;
}

/** Objects by resource, in memory, with the latest changes: what every read and watch is answered from. */
export class WatchCache {
  revision = 0;
  oldest = 0;
  readonly #limits: HistoryLimits;
  readonly #collections = new Map<string, Collection>();
  readonly #listeners = new Map<string, Set<ChangeListener>>();
  readonly #waiting: { revision: number; done: () => void }[] = [];
  #history: Change[] = [];
  #historyBytes = 0;

  constructor(limits: HistoryLimits = defaultHistory) {
    this.#limits = limits;
  }

  get(id: ObjectId): Entry | undefined {
    return this.#collections.get(id.resource)?.entries.get(id.namespace)?.get(id.name);
  }

  list(resource: string, namespace?: string): readonly Entry[] {
    const collection = this.#collections.get(resource);
    if (collection === undefined) return [];
    collection.sorted ??= sortEntries(allEntries(collection));
    if (namespace !== undefined) return sliceOfNamespace(collection.sorted, namespace);
    collection.lent = true;
    return collection.sorted;
  }

  listAt(resource: string, revision: number): readonly Entry[] | undefined {
    const undo = this.since(resource, revision);
    if (undo === undefined) return undefined;
    if (undo.length === 0) return this.list(resource);
    const past = new Map(this.list(resource).map((entry) => [placeOf(entry), entry]));
    for (const change of undo.toReversed()) {
      if (change.previous === undefined) past.delete(placeOf(change.entry));
      else past.set(placeOf(change.entry), change.previous);
    }
    return sortEntries([...past.values()]);
  }

  since(resource: string, revision: number): readonly Change[] | undefined {
    if (revision < this.oldest) return undefined;
    let from = this.#history.length;
    while (from > 0 && (this.#history[from - 1]?.revision ?? 0) > revision) from -= 1;
    return this.#history.slice(from).filter((change) => change.entry.resource === resource);
  }

  subscribe(resource: string, listener: ChangeListener): () => void {
    const listeners = this.#listeners.get(resource) ?? new Set();
    this.#listeners.set(resource, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Resolves once reads show this revision. */
  async reached(revision: number): Promise<void> {
    if (this.revision >= revision) return;
    await new Promise<void>((done) => this.#waiting.push({ revision, done }));
  }

  /** Takes an object in; older news than what is here is dropped. */
  put(entry: Entry): void {
    if (entry.revision <= this.revision) return;
    const collection = this.#collection(entry.resource);
    const previous = replaceEntry(collection, entry);
    if (previous === undefined) collection.sorted = undefined;
    else replaceSorted(collection, previous, entry);
    this.#record({ type: previous === undefined ? "ADDED" : "MODIFIED", revision: entry.revision, entry, previous });
  }

  /** Takes an object out. */
  remove(id: ObjectId, revision: number, stamp: (entry: Entry) => Entry): void {
    if (revision <= this.revision) return;
    const collection = this.#collection(id.resource);
    const previous = collection.entries.get(id.namespace)?.get(id.name);
    if (previous === undefined) {
      this.advance(revision);
      return;
    }
    collection.entries.get(id.namespace)?.delete(id.name);
    collection.sorted = undefined;
    this.#record({ type: "DELETED", revision, entry: stamp(previous), previous });
  }

  /** Moves to a revision that changed nothing here. */
  advance(revision: number): void {
    this.revision = Math.max(this.revision, revision);
    let index = 0;
    while (index < this.#waiting.length) {
      const waiting = this.#waiting[index];
      if (waiting === undefined || waiting.revision > this.revision) index += 1;
      else this.#waiting.splice(index, 1)[0]?.done();
    }
  }

  /** Forgets the past: what was loaded so far counts as the beginning. */
  startHistory(): void {
    this.#history = [];
    this.#historyBytes = 0;
    this.oldest = this.revision;
  }

  #collection(resource: string): Collection {
    const found = this.#collections.get(resource);
    if (found !== undefined) return found;
    const created: Collection = { entries: new Map(), sorted: undefined, lent: false };
    this.#collections.set(resource, created);
    return created;
  }

  #record(change: Change): void {
    this.#history.push(change);
    this.#historyBytes += change.entry.text.length;
    if (this.#history.length > 2 * this.#limits.changes || this.#historyBytes > 2 * this.#limits.bytes) this.#trim();
    this.revision = change.revision;
    for (const listener of this.#listeners.get(change.entry.resource) ?? []) listener(change);
    for (const listener of this.#listeners.get("*") ?? []) listener(change);
    this.advance(change.revision);
  }

  // Trimming halves at once, so that its cost does not fall on every write.
  #trim(): void {
    let first = Math.max(0, this.#history.length - this.#limits.changes);
    let bytes = 0;
    for (let index = this.#history.length - 1; index >= first; index -= 1) {
      bytes += this.#history[index]?.entry.text.length ?? 0;
      if (bytes > this.#limits.bytes) first = index + 1;
    }
    this.oldest = this.#history[first - 1]?.revision ?? this.oldest;
    this.#history = this.#history.slice(first);
    this.#historyBytes = Math.min(bytes, this.#limits.bytes);
  }
}

function replaceEntry({ entries }: Collection, entry: Entry): Entry | undefined {
  const named = entries.get(entry.namespace);
  const previous = named?.get(entry.name);
  if (named === undefined) entries.set(entry.namespace, new Map([[entry.name, entry]]));
  else named.set(entry.name, entry);
  return previous;
}

function allEntries({ entries }: Collection): Entry[] {
  return [...entries.values()].flatMap((named) => [...named.values()]);
}

function placeOf(id: ObjectId): string {
  return `${id.namespace}/${id.name}`;
}

function sortEntries(entries: readonly Entry[]): Entry[] {
  return entries.toSorted(compareEntries);
}

function compareEntries(left: ObjectId, right: ObjectId): number {
  if (left.namespace !== right.namespace) return left.namespace < right.namespace ? -1 : 1;
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
}

/** Index of the first entry that does not come before the given place. */
export function lowerBound(sorted: readonly Entry[], place: ObjectId): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = sorted[middle];
    if (entry !== undefined && compareEntries(entry, place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sliceOfNamespace(sorted: readonly Entry[], namespace: string): readonly Entry[] {
  const from = lowerBound(sorted, { resource: "", namespace, name: "" });
  let to = from;
  while (sorted[to]?.namespace === namespace) to += 1;
  return sorted.slice(from, to);
}

function replaceSorted(collection: Collection, previous: Entry, entry: Entry): void {
  if (collection.sorted === undefined) return;
  if (collection.lent) collection.sorted = [...collection.sorted];
  collection.lent = false;
  collection.sorted[lowerBound(collection.sorted, previous)] = entry;
}
