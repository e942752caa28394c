/** Labels and annotations that KubeSphere 3.4 and its console know (same keys, same values). */
export const LABEL = {
  workspace: "kubesphere.io/workspace",
  workspaceOrigin: "kubesphere.io/workspace-origin",
  namespace: "kubesphere.io/namespace",
  cluster: "kubesphere.io/cluster",
  repoId: "application.kubesphere.io/repo-id",
  appId: "application.kubesphere.io/app-id",
  versionId: "application.kubesphere.io/app-version-id",
  categoryId: "application.kubesphere.io/app-category-id",
  builtinApp: "application.kubesphere.io/builtin-app",
  instance: "app.kubesphere.io/instance",
  /** How a version stands to its repository's index where it is not simply in it: quarantined, withdrawn or older. */
  indexState: "application.kubesphere.io/index-state",
} as const;

/** Annotations that KubeSphere 3.4 reads or writes, and the one by which Flux users ask for a sync. */
export const ANNOTATION = {
  creator: "kubesphere.io/creator",
  syncPeriod: "app.kubesphere.io/sync-period",
  appCleanup: "application.kubesphere.io/app-cleanup",
  requestedAt: "application.kubesphere.io/requested-at",
  /** The digest of a version in quarantine that a person takes in place of the old one. */
  acceptDigest: "application.kubesphere.io/accept-digest",
  /** The wish that a release was made or changed for; whoever wrote it has announced it too. */
  announcedMark: "application.kubesphere.io/announced-mark",
  /** The acts that an object has had its effect of, newest first: what comes again is not done again. */
  acts: "application.kubesphere.io/acts",
  /** When a package was first found without a version that names it, RFC 3339. */
  unusedSince: "application.kubesphere.io/unused-since",
  /** The category that a store copy was last counted in. */
  countedIn: "application.kubesphere.io/counted-category",
} as const;

/** Finalizers of the store kinds, by kind. */
export const FINALIZER = {
  HelmRepo: "helmrepo.application.kubesphere.io",
  HelmApplication: "helmapplication.application.kubesphere.io",
  HelmApplicationVersion: "helmappversion.application.kubesphere.io",
  HelmRelease: "helmrelease.application.kubesphere.io",
  HelmCategory: "helmcategories.application.kubesphere.io",
} as const;

/** The pseudo repository that store copies and released versions belong to. */
export const STORE_REPO = "repo-helm";

/** Suffix of the copy of an application that 3.4 clients read as the store's. */
export const STORE_SUFFIX = "-store";

/** Category of applications that have none. */
export const UNCATEGORIZED = "ctg-uncategorized";

/** What follows no repository: the applications and versions of workspaces. */
export const ADMINISTERED = { labelSelector: `!${LABEL.repoId}` };

/** What is in the store: copies of applications, and versions that KubeSphere released. */
export const IN_STORE = { labels: { [LABEL.repoId]: STORE_REPO } };
