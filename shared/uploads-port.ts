/** Bytes that were taken in: their digest (`sha256:<hex>`) is their key in the bucket `uploads`. */
export interface TakenUpload {
  readonly digest: string;
  readonly bytes: number;
}

/** Takes uploads in as they arrive, without holding them. */
export interface Uploads {
  /** Fails with `TooLarge` beyond `maxBytes`, and with `Invalid` where the sender breaks off; then nothing is kept. */
  take(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<TakenUpload>;
}
