import type { Bucket } from "./ports.ts";

/** Looks into buckets as whoever clears them up does. */
export interface Storage {
  /** What a bucket holds, in no order. */
  list(bucket: Bucket): Promise<readonly StoredBlob[]>;
}

/** What is known of stored bytes without reading them. */
export interface StoredBlob {
  readonly key: string;
  readonly bytes: number;
  /** When they were last stored. */
  readonly storedAt: Date;
  /** Tells whether they were stored anew in between. */
  readonly revision: string;
}
