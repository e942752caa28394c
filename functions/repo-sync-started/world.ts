import type { StoredIndex } from "../../shared/charts/stored-index.ts";
import type { Sync, SyncProblem } from "../../shared/lifecycle/sync-status.ts";
import type { HelmRepo } from "../../shared/resources/helm-repo.ts";

/** Entries that could not be used: how many, and the first of them. */
export type Problems = NonNullable<NonNullable<HelmRepo["status"]>["problems"]>;

/** An index as it was fetched and read. */
export interface ReadIndex {
  readonly index: StoredIndex;
  /** The index as the `indexes` bucket will keep it. */
  readonly stored: Uint8Array;
  readonly complete: boolean;
  /** Whether the text held only the chart that was asked for. */
  readonly partial: boolean;
  /** Charts that differ from the known index. */
  readonly changed: readonly string[];
  readonly bytes: number;
  readonly dropped: number;
  readonly problems: Problems;
  readonly etag?: string;
  readonly lastModified?: string;
  /** Versions that a registry holds and that were not read yet. */
  readonly pending: number;
  readonly retryAfterMs?: number;
}

/** What fetching an index came to. */
export type Fetched =
  | { readonly outcome: "failed"; readonly problem: SyncProblem }
  | { readonly outcome: "notModified" }
  | { readonly outcome: "read"; readonly read: ReadIndex };

/** What the beginning of a sync is decided on. */
export type World =
  /** Not due any more, another sync is under way, or the repository is gone. */
  | { readonly plan: "none" }
  /** Another sync began first and may not see what this one was to look at. */
  | { readonly plan: "overtaken"; readonly repo: HelmRepo }
  /** This sync is over, or its index was fetched: only its announcements are made again. */
  | { readonly plan: "repeat"; readonly repo: HelmRepo }
  | {
      readonly plan: "sync";
      readonly repo: HelmRepo;
      readonly sync: Sync;
      readonly fetched: Fetched;
      /** The index that the applications were made from, as far as it is known. */
      readonly known: StoredIndex | undefined;
      /** Whether versions that stand out (quarantined, withdrawn, older) have to be looked at again. */
      readonly standouts: boolean;
      readonly now: Date;
    };

/** The part of the world in which a sync goes on. */
export type SyncWorld = Extract<World, { plan: "sync" }>;
