import { create, replace, type Write } from "../../shared/decision.ts";
import { sameJson } from "../../shared/equal.ts";
import { releaseMark } from "../../shared/lifecycle/release-plan.ts";
import type { ObjectMeta } from "../../shared/resource.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import type { HelmRequest } from "../../shared/resources/helm-request.ts";
import { ANNOTATION, FINALIZER, LABEL, STORE_REPO } from "../../shared/resources/labels.ts";
import type { Target } from "./choose-target.ts";
import { releaseName } from "./release-name.ts";

/** Longest value that Kubernetes takes for a label. */
const MAX_LABEL = 63;

/** What a release is made of. */
export interface ReleaseInput {
  readonly request: HelmRequest;
  readonly version: HelmApplicationVersion;
  readonly target: Extract<Target, { ok: true }>;
  readonly now: Date;
}

interface Output {
  readonly writes: readonly Write<"HelmRelease">[];
  readonly release: Pick<HelmRelease, "metadata">;
}

/** Makes the release, or brings the one that exists to what the request says now. */
export function releaseWrites({ request, version, target, now }: ReleaseInput): Output {
  const { existing, namespace } = target;
  const wanted = releaseSpec(request, version);
  const metadata = { name: releaseName(request), namespace };
  if (!existing) {
    const spec = { ...wanted, version: 1 };
    const status = { state: "creating" as const, version: 0, lastUpdate: now.toISOString() };
    const marked = announcing(spec, { ...metadata, ...marks(request, version, namespace) });
    return { writes: [create(HelmRelease, { metadata: marked, spec, status })], release: { metadata } };
  }
  if (sameJson({ ...existing.spec, version: 0 }, { ...wanted, version: 0 })) return { writes: [], release: existing };
  const spec = { ...wanted, version: existing.spec.version + 1 };
  const changed = { ...existing, metadata: announcing(spec, existing.metadata), spec };
  return { writes: [replace(HelmRelease, changed)], release: existing };
}

/** Tells resource-changed that this wish is announced already, so that Helm is not sent twice. */
function announcing(spec: HelmRelease["spec"], metadata: ObjectMeta): ObjectMeta {
  return { ...metadata, annotations: { ...metadata.annotations, [ANNOTATION.announcedMark]: releaseMark({ spec }) } };
}

function releaseSpec({ spec }: HelmRequest, version: HelmApplicationVersion): Omit<HelmRelease["spec"], "version"> {
  const labels = version.metadata.labels ?? {};
  return {
    name: spec.name,
    chartName: version.spec.name ?? "",
    chartVersion: version.spec.version ?? "",
    repoId: labels[LABEL.repoId] ?? STORE_REPO,
    appVerId: version.metadata.name,
    engine: spec.engine ?? "helm",
    ...optional("description", spec.description),
    ...optional("values", spec.values),
    ...optional("chartAppVer", version.spec.appVersion),
    ...optional("appId", labels[LABEL.appId]),
    ...optional("package", version.spec.package),
  };
}

/** Labels, annotation and finalizer as KubeSphere puts them on releases (§1.6, §1.7). */
function marks(request: HelmRequest, version: HelmApplicationVersion, namespace: string) {
  const creator = request.spec.creator ?? request.metadata.annotations?.[ANNOTATION.creator];
  return {
    labels: {
      [LABEL.namespace]: namespace,
      // A name may be longer than a label; the spec has it in any case.
      ...optional(LABEL.versionId, version.metadata.name.length <= MAX_LABEL ? version.metadata.name : undefined),
      ...optional(LABEL.appId, version.metadata.labels?.[LABEL.appId]),
      ...optional(LABEL.repoId, version.metadata.labels?.[LABEL.repoId]),
      ...optional(LABEL.workspace, request.metadata.labels?.[LABEL.workspace]),
    },
    annotations: { ...optional(ANNOTATION.creator, creator) },
    finalizers: [FINALIZER.HelmRelease],
  };
}

function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V });
}
