import type { Laptop } from "../../knative/local/laptop.ts";
import { type KubeObject, subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";

/** Every kind that the chain writes. */
export const KINDS = [
  HelmRepo,
  HelmApplication,
  HelmApplicationVersion,
  HelmPackage,
  HelmRequest,
  HelmRelease,
] as const;

/** What differs from run to run without meaning anything: times, random ids, ports, counts of looks. */
const RANDOM: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>"],
  [/\b[0-9a-f]{32}\b/g, "<hash>"],
  [/\brls-[a-z0-9]{14}\b/g, "<release>"],
  [/127\.0\.0\.1:\d+/g, "<address>"],
  // Seals are over times and ids.
  [/"(hash|previous|derivedFrom)":"sha256:[0-9a-f]{64}"/g, '"$1":"<seal>"'],
  [/"(resourceVersion|checks|durationMs|fetchMs)":"?\d+"?/g, '"$1":0'],
];

/** All objects of the store by their subject, comparable between runs. */
export async function snapshot({ kube }: Laptop): Promise<Readonly<Record<string, unknown>>> {
  const lists = await Promise.all(
    KINDS.map(async (kind) =>
      (await kube.list(kind)).map((object) => [subjectOf(kind, object.metadata), object] as const),
    ),
  );
  const objects = lists
    .flat()
    .map(([subject, object]) => [plain(subject), JSON.parse(plain(JSON.stringify(bare(object))))]);
  return Object.fromEntries(objects.sort(([a], [b]) => String(a).localeCompare(String(b))));
}

/** What an object says, as text that is the same in every run. */
export function contentOf(object: KubeObject): string {
  return plain(JSON.stringify(bare(object)));
}

/** Who wrote which field when is no part of what an object says. */
function bare({ metadata, ...rest }: KubeObject): object {
  const { managedFields: _, ...kept } = metadata as KubeObject["metadata"] & { readonly managedFields?: unknown };
  return { ...rest, metadata: kept };
}

function plain(text: string): string {
  return RANDOM.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}
