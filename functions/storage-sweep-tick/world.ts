import { packageName } from "../../shared/charts/ids.ts";
import { indexBlob } from "../../shared/lifecycle/kept-index.ts";
import type { HelmApplication } from "../../shared/resources/helm-application.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import type { HelmPackage } from "../../shared/resources/helm-package.ts";
import type { HelmRelease } from "../../shared/resources/helm-release.ts";
import type { HelmRepo } from "../../shared/resources/helm-repo.ts";
import type { StoredBlob } from "../../shared/storage-port.ts";

/** The buckets that are looked through. */
export const SWEPT = ["uploads", "packages", "indexes", "attachments"] as const;

/** One of them. */
export type SweptBucket = (typeof SWEPT)[number];

/** What is stored, and the objects that name it. */
export interface World {
  readonly stored: readonly { readonly bucket: SweptBucket; readonly blobs: readonly StoredBlob[] }[];
  readonly packages: readonly HelmPackage[];
  readonly versions: readonly HelmApplicationVersion[];
  readonly releases: readonly HelmRelease[];
  readonly apps: readonly HelmApplication[];
  readonly repos: readonly HelmRepo[];
  readonly now: Date;
}

/** Keys of a bucket that some object names. Uploads are named by none: they are copied when they are taken in. */
export function namedIn(bucket: SweptBucket, world: World): ReadonlySet<string> {
  switch (bucket) {
    case "uploads":
      return new Set();
    case "packages":
      return new Set(packagesIn(world).map((digest) => `sha256:${bare(digest)}`));
    case "indexes":
      return new Set(world.repos.flatMap(indexesOf));
    case "attachments":
      return new Set(world.apps.flatMap(({ spec }) => [spec.icon ?? "", ...(spec.attachments ?? [])]));
  }
}

function packagesIn({ packages, versions, releases }: World): readonly (string | undefined)[] {
  const listed = [...packages, ...versions].map(({ spec }) => spec.digest);
  return [...listed, ...releases.map(({ status }) => status?.packageDigest)];
}

/** Names of HelmPackages that some version names. */
export function usedPackages({ versions }: World): ReadonlySet<string> {
  return new Set(
    versions.flatMap(({ spec }) => [
      ...(spec.package === undefined ? [] : [spec.package]),
      ...(/^[0-9a-f]{64}$/.test(bare(spec.digest)) ? [packageName(bare(spec.digest))] : []),
    ]),
  );
}

function indexesOf(repo: HelmRepo): readonly string[] {
  const { indexDigest, previousIndexDigest, sync } = repo.status ?? {};
  return [indexDigest, previousIndexDigest, sync?.from, sync?.to]
    .filter((digest) => digest !== undefined)
    .map((digest) => indexBlob(repo, digest).key);
}

function bare(digest: string | undefined): string {
  return digest?.replace(/^sha256:/, "") ?? "";
}
