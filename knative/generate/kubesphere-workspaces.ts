import type { ApiServerOrigin } from "../../shared/origin.ts";
import { externalResource } from "../../shared/resource.ts";
import type { Manifest } from "./manifest.ts";
import { rbacOfSource } from "./rbac.ts";
import { sourceManifest } from "./sources.ts";

/** KubeSphere's workspaces, as its host cluster has them. */
const WorkspaceTemplate = externalResource({
  group: "tenant.kubesphere.io",
  version: "v1alpha2",
  kind: "WorkspaceTemplate",
  plural: "workspacetemplates",
  scope: "Cluster",
});

const SOURCE: ApiServerOrigin = {
  kind: "ApiServerSource",
  name: "kubesphere-workspaces",
  resources: [{ kind: WorkspaceTemplate }],
};

/** What tells the store of deleted workspaces, for clusters with KubeSphere: others do not serve the kind. */
export function kubesphereWorkspaces(): readonly Manifest[] {
  return [...rbacOfSource(SOURCE), sourceManifest(SOURCE)];
}
