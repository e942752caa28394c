import { appId, versionId } from "../charts/ids.ts";
import type { ChartVersion } from "../charts/index-file.ts";
import { decodeIndex, type SavedIndex, type SavedVersion } from "../charts/kubesphere-index.ts";
import { own } from "../charts/records.ts";
import type { HelmRepo } from "../resources/helm-repo.ts";

/** A chart of a repository, and the ids that are given already. */
export interface ChartIdentity {
  readonly repo: string;
  readonly chart: string;
  readonly saved: SavedIndex | undefined;
}

/** The name of the application of a chart. */
export function appIdOf({ repo, chart, saved }: ChartIdentity): string {
  return own(saved?.apps ?? {}, chart)?.appId ?? appId({ repo }, chart);
}

/** The versions of a chart with their ids: those that KubeSphere gave are kept, since running releases point at them. */
export function identified(identity: ChartIdentity, versions: readonly ChartVersion[]): readonly SavedVersion[] {
  const app = appIdOf(identity);
  const known = own(identity.saved?.apps ?? {}, identity.chart);
  const ids = new Map(known?.charts.map(({ version, verId }) => [version, verId]));
  return versions.map((version) => ({
    ...version,
    verId: ids.get(version.version) ?? versionId(app, version.version),
  }));
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
