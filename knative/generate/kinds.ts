import type { CustomResourceDefinition } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";

/** All kinds of the store: one import and one line each. */
export const KINDS: readonly CustomResourceDefinition[] = [
  HelmRepo,
  HelmApplication,
  HelmApplicationVersion,
  HelmPackage,
  HelmRequest,
  HelmRelease,
  HelmCategory,
];
