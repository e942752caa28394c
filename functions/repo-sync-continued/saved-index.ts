import { appId, versionId } from "../../shared/charts/ids.ts";
import type { ChartVersion } from "../../shared/charts/index-file.ts";
import { decodeIndex, type SavedIndex, type SavedVersion } from "../../shared/charts/kubesphere-index.ts";
import { own } from "../../shared/charts/records.ts";
import type { HelmRepo } from "../../shared/resources/helm-repo.ts";

interface Identity {
  readonly repo: string;
  readonly chart: string;
  readonly saved: SavedIndex | undefined;
}

/** The ids of a chart and its versions: those that KubeSphere gave are kept, since running releases point at them. */
export function identify(
  { repo, chart, saved }: Identity,
  versions: readonly ChartVersion[],
): { readonly appId: string; readonly wanted: readonly SavedVersion[] } {
  const known = own(saved?.apps ?? {}, chart);
  const app = known?.appId ?? appId({ repo }, chart);
  const ids = new Map(known?.charts.map(({ version, verId }) => [version, verId]));
  const wanted = versions.map((version) => ({
    ...version,
    verId: ids.get(version.version) ?? versionId(app, version.version),
  }));
  return { appId: app, wanted };
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
