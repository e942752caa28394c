/** Where the API serves what KubeSphere does not have. */
export const OWN_BASE = "/kapis/openpitrix.io";

/** Where an application is found. */
export function appPath(app: string): string {
  return `/apps/${encodeURIComponent(app)}`;
}

/** Where a version is found; its id says already which application it belongs to, and the API asks no more (KubeSphere §6.2). */
export function versionPath(version: string): string {
  return `/apps/-/versions/${encodeURIComponent(version)}`;
}

/** Where a category is found. */
export function categoryPath(category: string): string {
  return `/categories/${encodeURIComponent(category)}`;
}

/** Where the applications of a workspace are found. */
export function workspacePath(workspace: string): string {
  return `/workspaces/${encodeURIComponent(workspace)}`;
}
