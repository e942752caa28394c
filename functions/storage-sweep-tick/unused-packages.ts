import { removeAsRead, replace, type Write } from "../../shared/decision.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { ANNOTATION } from "../../shared/resources/labels.ts";
import { usedPackages, type World } from "./world.ts";

/** A package goes when it has been without a version for this long. */
const UNUSED_MS = 7 * 24 * 60 * 60 * 1000;

/** Packages that one look marks or deletes. */
const MAX_AT_ONCE = 500;

/** Marks packages that no version names, takes the mark off those that one names again, and deletes the long marked. */
export function unusedPackages(world: World): readonly Write<"HelmPackage">[] {
  const used = usedPackages(world);
  const writes = world.packages.flatMap((each) => writeFor(each, used.has(each.metadata.name), world.now) ?? []);
  return writes.slice(0, MAX_AT_ONCE);
}

function writeFor(each: HelmPackage, used: boolean, now: Date): Write<"HelmPackage"> | undefined {
  const { [ANNOTATION.unusedSince]: since, ...annotations } = each.metadata.annotations ?? {};
  if (used) return since === undefined ? undefined : withAnnotations(each, annotations);
  if (since === undefined)
    return withAnnotations(each, { ...annotations, [ANNOTATION.unusedSince]: now.toISOString() });
  return now.getTime() - Date.parse(since) > UNUSED_MS ? removeAsRead(HelmPackage, each) : undefined;
}

function withAnnotations(each: HelmPackage, annotations: Readonly<Record<string, string>>): Write<"HelmPackage"> {
  return replace(HelmPackage, { ...each, metadata: { ...each.metadata, annotations } });
}
