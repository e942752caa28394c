import { SYSTEM_NAMESPACE } from "../../shared/origin.ts";

/** One Kubernetes object as it is written into a manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** Label that all our objects carry. */
export const PART_OF = { "app.kubernetes.io/part-of": "openpitrix" };

/** Label that tells functions from everything else of ours; SinkBinding selects by it. */
export const IS_FUNCTION = { "app.kubernetes.io/component": "function" };

/** Metadata of an object in our namespace. */
export function inNamespace(name: string, labels: Readonly<Record<string, string>> = {}) {
  return { name, namespace: SYSTEM_NAMESPACE, labels: { ...PART_OF, ...labels } };
}

/** Metadata of an object that belongs to no namespace. */
export function clusterWide(name: string, labels: Readonly<Record<string, string>> = {}) {
  return { name, labels: { ...PART_OF, ...labels } };
}

/** A reference to another object of our namespace, as Knative's destinations want it. */
export function refTo(apiVersion: string, kind: string, name: string) {
  return { ref: { apiVersion, kind, name, namespace: SYSTEM_NAMESPACE } };
}

/** The annotation that tells an administrator what an object is for. */
export function describe(text: string) {
  return { "kubernetes.io/description": text };
}
