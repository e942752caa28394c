import type { ChartEntry } from "../../shared/charts/index-file.ts";
import type { SavedVersion } from "../../shared/charts/kubesphere-index.ts";
import type { StoredIndex } from "../../shared/charts/stored-index.ts";
import type { WorkItem } from "../../shared/charts/work-list.ts";
import type { HelmApplication } from "../../shared/resources/helm-application.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import type { HelmRepo } from "../../shared/resources/helm-repo.ts";

/** One chart of a step: what it was, what it is to be, and the objects that there are. */
export interface ChartWork {
  readonly chart: string;
  readonly appId: string;
  readonly before: ChartEntry | undefined;
  readonly after: ChartEntry | undefined;
  /** All versions of the index with their ids, newest first. */
  readonly wanted: readonly SavedVersion[];
  readonly app: HelmApplication | undefined;
  readonly versions: readonly HelmApplicationVersion[];
}

/** The charts of a step and where it stands among all steps. */
export interface Step {
  readonly items: readonly WorkItem[];
  /** Whether no chart is left after this step. */
  readonly last: boolean;
}

/** What a step is decided on. */
export type World =
  /** The repository is gone, or its indexes are. */
  | { readonly plan: "none" }
  /** The index that was to be written is lost: only another fetch brings it back. */
  | { readonly plan: "lost"; readonly repo: HelmRepo; readonly now: Date }
  /** The step is done: only its announcements are made again. */
  | {
      readonly plan: "repeat";
      readonly repo: HelmRepo;
      readonly step: Step;
      readonly works: readonly ChartWork[];
    }
  | {
      readonly plan: "write";
      readonly repo: HelmRepo;
      readonly to: StoredIndex;
      readonly step: Step;
      readonly works: readonly ChartWork[];
      /** Versions of the repository that stand out; looked for in the last step only. */
      readonly standouts: readonly HelmApplicationVersion[];
      /** Names of the versions that releases use. */
      readonly used: ReadonlySet<string>;
      readonly now: Date;
    };

/** The part of the world in which objects are written. */
export type WriteWorld = Extract<World, { plan: "write" }>;
