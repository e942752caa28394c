import type { ChartEntry, ParsedIndex } from "../../shared/charts/index-file.ts";
import type { HelmApplication } from "../../shared/resources/helm-application.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import type { HelmRepo } from "../../shared/resources/helm-repo.ts";

/** Why a repository could not be synced. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
}

/** What the server said about the index, kept for the next conditional request. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** What a sync is decided on. */
export type World =
  /** Not due, or the repository is gone. */
  | { readonly plan: "none" }
  /** This event's sync is in the status already: only its facts are told again. */
  | {
      readonly plan: "repeat";
      readonly repo: HelmRepo;
      readonly previous: readonly ChartEntry[];
      readonly current: readonly ChartEntry[];
    }
  | { readonly plan: "failed"; readonly repo: HelmRepo; readonly problem: Problem; readonly now: Date }
  | { readonly plan: "unchanged"; readonly repo: HelmRepo; readonly validators: Validators; readonly now: Date }
  | {
      readonly plan: "changed";
      readonly repo: HelmRepo;
      readonly index: ParsedIndex;
      /** The index as the `indexes` bucket will keep it, and the digest of the text it was read from. */
      readonly stored: Uint8Array;
      readonly digest: string;
      readonly validators: Validators;
      readonly previous: readonly ChartEntry[];
      readonly apps: readonly HelmApplication[];
      readonly versions: readonly HelmApplicationVersion[];
      readonly now: Date;
    };

/** The part of the world that a changed index brings. */
export type ChangedWorld = Extract<World, { plan: "changed" }>;
