import { createHash } from "node:crypto";
import { STORE_SUFFIX, UNCATEGORIZED } from "../resources/labels.ts";

/** Who an application comes from: a repository, or the workspace that uploaded it. */
export type AppOrigin = { readonly repo: string } | { readonly workspace: string };

/** Names of applications and versions become labels, which are shorter than names. */
const MAX_NAME = 63;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/** 14 characters of a-z and 0-9 that stand for exactly these parts: the same parts give the same id, always. */
export function id36(...parts: readonly string[]): string {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return BigInt(`0x${digest}`).toString(36).padStart(14, "0").slice(-14);
}

/**
 * Name of the HelmApplication for a chart: `app-<id36>`, or `app-<repo>-<chart>` for repositories whose name starts
 * with `builtin-`, as KubeSphere names them.
 */
export function appId(origin: AppOrigin, chart: string): string {
  if ("workspace" in origin) return `app-${id36("app", "workspace", origin.workspace, chart)}`;
  if (origin.repo.startsWith("builtin-")) return objectName(`app-${origin.repo}-${chart}`);
  return `app-${id36("app", "repo", origin.repo, chart)}`;
}

/** Name of the application that a store copy is of; that of any other application is its own. */
export function originalApp(name: string): string {
  return name.endsWith(STORE_SUFFIX) ? name.slice(0, -STORE_SUFFIX.length) : name;
}

/**
 * Name of the HelmApplicationVersion for a version of an application: `appv-<id36>`, or `<application>-<version>` in
 * built-in repositories.
 */
export function versionId(app: string, version: string): string {
  return app.startsWith("app-builtin-") ? objectName(`${app}-${version}`) : `appv-${id36("appv", app, version)}`;
}

/** Name of the HelmPackage for bytes with this SHA-256, given as hex with or without `sha256:` before it. */
export function packageName(digest: string): string {
  const hex = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(digest)?.[1];
  if (!hex) throw new Error(`"${digest}" is no SHA-256 digest: expected 64 hexadecimal digits`);
  return `pkg-${hex.slice(0, 32).toLowerCase()}`;
}

/** Name of a HelmRelease object; parts say what makes it one, for example cluster, namespace and release name. */
export function releaseId(...parts: readonly string[]): string {
  return `rls-${id36("rls", ...parts)}`;
}

/** Name of a HelmRepo for a repository that somebody in a workspace calls so. */
export function repoId(workspace: string, name: string): string {
  return `repo-${id36("repo", workspace, name)}`;
}

/** Name of the HelmCategory with this title. */
export function categoryId(title: string): string {
  return title === "uncategorized" ? UNCATEGORIZED : `ctg-${id36("ctg", title)}`;
}

/** The text itself where Kubernetes takes it as a name, else the nearest name with an id that keeps it apart. */
function objectName(text: string): string {
  if (text.length <= MAX_NAME && SUBDOMAIN.test(text)) return text;
  const suffix = id36("name", text);
  const safe = text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return `${safe.slice(0, MAX_NAME - suffix.length - 1).replace(/-+$/, "")}-${suffix}`;
}
