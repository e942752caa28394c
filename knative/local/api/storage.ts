/** Names one stored object; `namespace` is empty for cluster-scoped kinds. */
export interface ObjectId {
  /** `<group>/<plural>`, with `core` for the group without a name. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** One object as it is stored: JSON text that already carries its resourceVersion, ready to be sent. */
export interface Entry extends ObjectId {
  readonly revision: number;
  readonly text: string;
}

/** One step of the history that watches replay. */
export interface Change {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly revision: number;
  readonly entry: Entry;
  readonly previous: Entry | undefined;
}

/** Told about every change, in order of revision, right after it became readable. */
export type ChangeListener = (change: Change) => void;

/**
 * Where objects live. Reads answer at once from memory; writes are compare-and-set and resolve when the
 * object can be read back. Writes reject with WriteConflict, or StorageUnavailable when the answer never came.
 */
export interface Storage {
  /** Newest revision that reads show. */
  revision(): number;
  /** Revisions below this one cannot be watched from or listed at any more. */
  oldest(): number;
  get(id: ObjectId): Entry | undefined;
  /** Sorted by namespace and name; of one namespace if given. */
  list(resource: string, namespace?: string): readonly Entry[];
  /** The same list as it was at an older revision; undefined when that is forgotten. */
  listAt(resource: string, revision: number): readonly Entry[] | undefined;
  create(id: ObjectId, text: string): Promise<Entry>;
  update(entry: Entry, text: string): Promise<Entry>;
  /** Resolves to the revision of the removal. */
  remove(entry: Entry): Promise<number>;
  /** Changes after a revision; undefined when some are forgotten. */
  since(resource: string, revision: number): readonly Change[] | undefined;
  /** Listens to one resource, or to all with "*". The answer stops it. */
  subscribe(resource: string, listener: ChangeListener): () => void;
  /** How many writes were acknowledged since the start. */
  writes(): number;
  close(): Promise<void>;
}

/** Somebody else wrote the object first. */
export class WriteConflict extends Error {
  constructor(id: ObjectId) {
    super(`${id.resource} ${id.namespace}/${id.name} was changed by somebody else; read it again`);
    this.name = "WriteConflict";
  }
}

/** The store did not acknowledge a write: it may or may not have happened. */
export class StorageUnavailable extends Error {
  constructor(id: ObjectId, cause: unknown) {
    super(`JetStream did not acknowledge the write of ${id.resource} ${id.namespace}/${id.name}`, { cause });
    this.name = "StorageUnavailable";
  }
}

/** The object does not fit into one message of the NATS server. */
export class ObjectTooLarge extends Error {
  constructor(id: ObjectId) {
    super(
      `${id.resource} ${id.namespace}/${id.name} is larger than the max_payload of the NATS server; raise it there`,
    );
    this.name = "ObjectTooLarge";
  }
}

/**
 * The storage name of a resource: its group, `core` standing for the empty one, and its plural. Events of both
 * groups are the same objects.
 */
export function resourceKey(group: string, plural: string): string {
  if (group === "events.k8s.io" && plural === "events") return "core/events";
  return `${group === "" ? "core" : group}/${plural}`;
}
