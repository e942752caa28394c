import type { ObjectName } from "./ports.ts";

/** A Helm release that should exist. */
export interface DesiredRelease {
  readonly name: string;
  readonly namespace: string;
  readonly chart: Uint8Array;
  /** values.yaml text. */
  readonly values: string;
  /** Identifies chart and values: Helm is not asked again where the deployed revision carries the same mark. */
  readonly mark: string;
  /** Whether a Helm release of this name that the store did not make is meant (moved in from KubeSphere); default: refused. */
  readonly adopt?: boolean;
  readonly timeoutMs: number;
}

/** What Helm made of a release. */
export type HelmResult =
  | { readonly outcome: "deployed"; readonly revision: number; readonly changed: boolean }
  /** Another operation holds the release. */
  | { readonly outcome: "busy" }
  | { readonly outcome: "failed"; readonly message: string };

/** One object of a release's manifest as it lives in the cluster; `live` is undefined where it is missing. */
export interface ReleaseObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly live: Readonly<Record<string, unknown>> | undefined;
}

/** The real `helm` binary. */
export interface Helm {
  /** Installs or upgrades unless the deployed revision already carries `mark`. */
  converge(release: DesiredRelease): Promise<HelmResult>;
  /** The objects of the deployed manifest, each with its live state; `undefined` where there is no such release. */
  objects(name: ObjectName): Promise<readonly ReleaseObject[] | undefined>;
  /** Uninstalls; no such release counts as done, and so does one that the store did not make unless `adopt` is set. */
  uninstall(name: ObjectName, adopt?: boolean): Promise<void>;
}
