import type { ParsedIndex } from "../../shared/charts/index-file.ts";
import { decodeIndex, type SavedIndex, saveIndex } from "../../shared/charts/kubesphere-index.ts";
import type { HelmRepo } from "../../shared/resources/helm-repo.ts";

/** Every chart and version of an index with its ids; those that KubeSphere gave before are kept. */
export function savedIndexOf(repo: HelmRepo, index: ParsedIndex): SavedIndex {
  const previous = readSavedIndex(repo);
  return saveIndex({
    repo: repo.metadata.name,
    generated: index.generated ?? "",
    entries: index.entries,
    ...(previous ? { previous } : {}),
  });
}

/** The index that the status carries in KubeSphere's encoding, if it can be read. */
export function readSavedIndex({ status }: HelmRepo): SavedIndex | undefined {
  const { data } = status ?? {};
  if (!data) return undefined;
  try {
    return decodeIndex(data);
  } catch {
    // Unreadable data has no ids to keep; the ids that we make are the same again.
    return undefined;
  }
}
