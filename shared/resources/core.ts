import { externalResource, type KubeObject } from "../resource.ts";

/** A Kubernetes Secret; values of `data` are base64. */
export interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** Secrets hold the credentials of repositories. */
export const Secret = externalResource<"Secret", Secret>({
  group: "",
  version: "v1",
  kind: "Secret",
  plural: "secrets",
  scope: "Namespaced",
});

/** A Kubernetes Namespace. */
export type Namespace = KubeObject;

/** Namespaces are where requests may be placed; their labels are what selectors match. */
export const Namespace = externalResource<"Namespace", Namespace>({
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
});

/** A Kubernetes ConfigMap. */
export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** A ConfigMap says how a store is run. */
export const ConfigMap = externalResource<"ConfigMap", ConfigMap>({
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  scope: "Namespaced",
});
