import { externalResource, type KubeObject } from "../../shared/resource.ts";

/** Kubernetes' own kind for kinds, so that tests can install ours. */
export const CustomResourceDefinition = externalResource<"CustomResourceDefinition", KubeObject>({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
});
