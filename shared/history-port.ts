/** One record of what was decided about an object, kept for good. */
export interface HistoryRecord {
  /** What the object belongs to: the application of a version. */
  readonly group: string;
  readonly object: string;
  /** Tells the records of an object apart. */
  readonly key: string;
  readonly data: unknown;
}

/** The whole history of objects, of which they themselves keep the newest entries only. */
export interface History {
  /** Keeps a record; another one of the same group, object and key changes nothing. */
  append(record: HistoryRecord): Promise<void>;
  /** The data of all records of an object, or of all objects of a group, in the order in which they were kept. */
  read(group: string, object?: string): Promise<readonly unknown[]>;
}
