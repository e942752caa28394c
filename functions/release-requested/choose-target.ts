import type { HelmRelease } from "../../shared/resources/helm-release.ts";
import type { HelmRequest } from "../../shared/resources/helm-request.ts";
import { releaseName } from "./release-name.ts";
import type { World } from "./world.ts";

/** Where a release goes, with the release that is already there for this request. */
export type Target =
  | { readonly ok: true; readonly namespace: string; readonly existing: HelmRelease | undefined }
  | {
      readonly ok: false;
      readonly state: "Failed" | "NeedsChoice";
      readonly reason: string;
      readonly message: string;
      readonly candidates?: readonly string[];
    };

/** Names that the status lists when there are several places; the message tells how many there are. */
const MAX_CANDIDATES = 50;

/** Finds the one namespace: 0 → Failed, 1 → chosen, many → NeedsChoice with candidates. A release stays where it is. */
export function chooseTarget(
  request: HelmRequest,
  { namespaces, releases }: Pick<World, "namespaces" | "releases">,
): Target {
  const existing = releases.find(({ metadata }) => metadata.name === releaseName(request));
  if (existing) return stay(request, existing);
  const names = namespaces.map(({ metadata }) => metadata.name);
  const [namespace] = names;
  if (namespace === undefined) return noNamespace(request);
  if (names.length > 1) {
    const message = `${names.length} namespaces match the selector; set spec.namespace to one of them`;
    return {
      ok: false,
      state: "NeedsChoice",
      reason: "SeveralNamespaces",
      message,
      candidates: names.slice(0, MAX_CANDIDATES),
    };
  }
  const rival = releases.find((release) => isRival(release, namespace, request.spec.name));
  if (!rival) return { ok: true, namespace, existing };
  const message = `namespace ${namespace} already has a release called ${request.spec.name} (${rival.metadata.name}); choose another name`;
  return { ok: false, state: "Failed", reason: "ReleaseExists", message };
}

/** What runs cannot be carried elsewhere or be renamed: the old release would stay behind without an owner. */
function stay({ spec }: HelmRequest, existing: HelmRelease): Target {
  const { name, namespace = "" } = existing.metadata;
  const moved = spec.namespace !== undefined && spec.namespace !== namespace;
  if (!moved && spec.name === existing.spec.name) return { ok: true, namespace, existing };
  const what = moved ? `move to namespace ${spec.namespace}` : `be called ${spec.name}`;
  const message = `release ${existing.spec.name} of this request (HelmRelease ${namespace}/${name}) cannot ${what}; make another request for that, or change this one back`;
  return { ok: false, state: "Failed", reason: "ReleaseStays", message };
}

function isRival({ metadata, spec }: HelmRelease, namespace: string, name: string): boolean {
  return metadata.namespace === namespace && spec.name === name;
}

function noNamespace({ spec }: HelmRequest): Target {
  const labels = Object.entries(spec.selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const what =
    spec.namespace === undefined
      ? `no namespace has the labels ${labels.join(", ")}`
      : `namespace ${spec.namespace} does not exist`;
  return {
    ok: false,
    state: "Failed",
    reason: "NamespaceNotFound",
    message: `${what}; change the request, or create it and then change the request (its description will do)`,
  };
}
