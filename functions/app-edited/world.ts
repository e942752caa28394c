import type { HelmApplication } from "../../shared/resources/helm-application.ts";
import type { HelmCategory } from "../../shared/resources/helm-category.ts";

/** What an edit is decided on. */
export interface World {
  readonly app: HelmApplication | undefined;
  /** The applications of the same workspace, where the name is to change. */
  readonly neighbours: readonly HelmApplication[];
  /** The category that is wanted. */
  readonly category: HelmCategory | undefined;
  /** Bytes of the attachments that are wanted, by id. */
  readonly pictures: ReadonlyMap<string, Uint8Array>;
}
