import type { Kube } from "../../../shared/adapters/kubernetes.ts";
import { mapLimited } from "../../../shared/concurrency.ts";
import type { Condition } from "../../../shared/conditions.ts";
import type { KubeObject } from "../../../shared/resource.ts";
import { timestamp } from "../api/object.ts";
import { installManifests } from "../install-manifests.ts";
import { eventingDefinitions } from "./definitions.ts";
import { statusOf } from "./status.ts";

const MANAGER = "laptop";

/** Writes that are under way at once. */
const CONCURRENT = 8;

type WithStatus = KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } };

/**
 * Shows the Brokers, Triggers and sources that the laptop works by as objects of its API, with the status that they
 * have on a cluster: `kubectl get triggers`, `kubectl wait --for=condition=Ready`. Changes to these objects change nothing.
 */
export async function showObjects(kube: Kube, objects: readonly KubeObject[], ingressUrl: string): Promise<void> {
  await installManifests(kube, eventingDefinitions);
  await mapLimited(objects, CONCURRENT, async (object) => {
    const kind = await kube.findKind(object.apiVersion, object.kind);
    if (kind === undefined) return;
    const stored = (await kube.apply(kind, object, MANAGER)) as WithStatus;
    const input = {
      kind: object.kind,
      object,
      generation: stored.metadata.generation ?? 1,
      before: stored.status?.conditions,
    };
    const status = statusOf(input, { ingressUrl, now: timestamp() });
    if (status !== undefined) await kube.replaceStatus(kind, { ...stored, ...{ status } }, MANAGER);
  });
}
