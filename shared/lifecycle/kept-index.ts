import { openStoredIndex, type StoredIndex } from "../charts/stored-index.ts";
import type { Blobs } from "../ports.ts";
import type { HelmRepo } from "../resources/helm-repo.ts";

type Named = Pick<HelmRepo, "metadata">;

/** A stored index above this is not read back. */
const MAX_INDEX_BYTES = 128 * 1024 * 1024;

/** Where the object store has an index: under its repository, so that what one gives up no other one misses. */
export function indexBlob({ metadata }: Named, digest: string) {
  return { bucket: "indexes" as const, key: `${metadata.name}/${digest}` };
}

/** An index that was kept under this digest; one that is lost, or of an older form, counts as unknown. */
export async function loadIndex(
  repo: Named,
  digest: string | undefined,
  blobs: Blobs,
): Promise<StoredIndex | undefined> {
  if (digest === undefined) return undefined;
  const { bucket, key } = indexBlob(repo, digest);
  const bytes = await blobs.get(bucket, key, MAX_INDEX_BYTES);
  return bytes && openStoredIndex(bytes);
}
