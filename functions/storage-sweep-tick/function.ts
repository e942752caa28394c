import { change, type Decision } from "../../shared/decision.ts";
import { StorageSweepTick, StorageSwept } from "../../shared/events/storage.ts";
import { defineFunction } from "../../shared/function.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { ADMINISTERED, IN_STORE } from "../../shared/resources/labels.ts";
import type { StoredBlob } from "../../shared/storage-port.ts";
import { unusedPackages } from "./unused-packages.ts";
import { namedIn, SWEPT, type SweptBucket, type World } from "./world.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What is younger stays, whoever names it: the object that does may be on its way. Uploads are copied when they are
 * taken in, and every repeat of their event is over by then.
 */
const GRACE_MS = { uploads: 2 * DAY_MS, packages: 7 * DAY_MS, indexes: 7 * DAY_MS, attachments: 7 * DAY_MS };

/** Blobs of one bucket that one look takes away. */
const MAX_AT_ONCE = 500;

/** Gives up bytes that no object has named for long. */
export default defineFunction({
  on: StorageSweepTick,
  summary: "Gives up bytes that no object has named for a week, and packages that no version has named for a week.",
  emits: [StorageSwept],
  reads: [HelmPackage, HelmApplicationVersion, HelmRelease, HelmApplication, HelmRepo],
  writes: [HelmPackage],
  uses: ["storage", "clock"],
  timeoutMs: 120_000,
  concurrency: 1,
  gather: async (_event, { kube, storage, clock }): Promise<World> => {
    // Bytes first: what is stored anew after this is not what was listed, and stays.
    const stored = await Promise.all(SWEPT.map(async (bucket) => ({ bucket, blobs: await storage.list(bucket) })));
    return {
      stored,
      packages: await kube.list(HelmPackage),
      // Those of repositories as well: a release is made again from the bytes that it was made from.
      versions: await kube.list(HelmApplicationVersion),
      releases: await kube.list(HelmRelease),
      apps: [...(await kube.list(HelmApplication, ADMINISTERED)), ...(await kube.list(HelmApplication, IN_STORE))],
      repos: await kube.list(HelmRepo),
      now: clock.now(),
    };
  },
  decide: (world, { data }): Decision<typeof StorageSwept.type, "HelmPackage"> => {
    const { dryRun = false } = data;
    const found = world.stored.map(({ bucket, blobs }) => ({ bucket, blobs: unnamed(bucket, blobs, world) }));
    const taken = found.map(({ bucket, blobs }) => ({ bucket, blobs: blobs.slice(0, MAX_AT_ONCE) }));
    const packages = unusedPackages(world);
    const report = {
      dryRun,
      ...{ uploads: NONE, packages: NONE, indexes: NONE, attachments: NONE },
      ...Object.fromEntries(taken.map(({ bucket, blobs }) => [bucket, sizeOf(blobs)])),
      unusedPackages: packages.filter(({ verb }) => verb === "remove").length,
      more: found.some(({ blobs }) => blobs.length > MAX_AT_ONCE),
    };
    const announce = [StorageSwept.of("storage/buckets", report)];
    if (dryRun) return change({ announce });
    const forget = taken.flatMap(({ bucket, blobs }) => blobs.map(({ key, revision }) => ({ bucket, key, revision })));
    return change({ write: packages, announce, forget });
  },
});

const NONE = { objects: 0, bytes: 0 };

function unnamed(bucket: SweptBucket, blobs: readonly StoredBlob[], world: World): readonly StoredBlob[] {
  const named = namedIn(bucket, world);
  const before = world.now.getTime() - GRACE_MS[bucket];
  return blobs.filter(({ key, storedAt }) => storedAt.getTime() < before && !named.has(key));
}

function sizeOf(blobs: readonly StoredBlob[]) {
  return { objects: blobs.length, bytes: blobs.reduce((sum, { bytes }) => sum + bytes, 0) };
}
