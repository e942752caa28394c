import { newestFirst } from "../../shared/charts/version.ts";
import { isFromRepository, stateOf } from "../../shared/lifecycle/act.ts";
import type { KubeReader } from "../../shared/ports.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { LABEL } from "../../shared/resources/labels.ts";

/** A version that is in the store, or was taken out of it for a while. */
export interface Published {
  readonly name: string;
  readonly version: string;
  /** `sha256:<hex>` of the package. */
  readonly digest: string;
  readonly suspended: boolean;
  readonly object: HelmApplicationVersion;
}

/**
 * What a shelf offers: uploaded versions that are active, and those suspended, which are no longer offered but
 * answered for. Where two applications offer the same chart and version, the one made first counts.
 */
export function publishedOn(
  versions: readonly HelmApplicationVersion[],
  workspace: string | undefined,
): readonly Published[] {
  const found = versions.flatMap((object) => {
    const { labels, deletionTimestamp } = object.metadata;
    const { name, version, digest, package: bytes } = object.spec;
    const state = stateOf(object);
    const offered = (state === "active" || state === "suspended") && deletionTimestamp === undefined;
    if (!offered || !name || !version || !digest || bytes === undefined || isFromRepository(object)) return [];
    if (workspace !== undefined && labels?.[LABEL.workspace] !== workspace) return [];
    return [{ name, version, digest, suspended: state === "suspended", object }];
  });
  const first = new Map<string, Published>();
  for (const each of found.sort(byMaking)) {
    const key = `${each.name} ${each.version}`;
    const before = first.get(key);
    // A suspended version does not stand in the way of another one's.
    if (!before || (before.suspended && !each.suspended)) first.set(key, each);
  }
  return newestFirst([...first.values()], ({ version }) => version);
}

/**
 * The same version as the server has it now, before its bytes are given out: lists may be a little older than a
 * suspension. `undefined` where it is not on the shelf any more.
 */
export async function asOfNow(
  { object }: Published,
  workspace: string | undefined,
  kube: KubeReader<typeof HelmApplicationVersion>,
): Promise<Published | undefined> {
  const now = await kube.get(HelmApplicationVersion, object.metadata.name);
  return now && publishedOn([now], workspace)[0];
}

/** Why a version is not to be had. */
export function suspensionOf({ object, name, version }: Published): string {
  const [last] = object.status?.audit ?? [];
  const message = last?.state === "suspended" ? last.message : undefined;
  return `${name} ${version} is suspended${message ? `: ${message}` : ""}`;
}

function byMaking(a: Published, b: Published): number {
  const made = ({ object }: Published) => `${object.metadata.creationTimestamp} ${object.metadata.name}`;
  return made(a) < made(b) ? -1 : 1;
}
