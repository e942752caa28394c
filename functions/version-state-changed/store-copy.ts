import { apply, create, type Write } from "../../shared/decision.ts";
import { sameJson } from "../../shared/equal.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { LABEL, STORE_REPO, STORE_SUFFIX, UNCATEGORIZED } from "../../shared/resources/labels.ts";
import { type Derived, derivedStatus, statusWrite } from "./derived.ts";
import type { World } from "./world.ts";

/**
 * 3.4 clients read the store from a copy of the application, whose latest version is an active one (KubeSphere §2.9).
 * The copy's spec follows the application's when a version enters the store; its category is its own. It goes with the
 * application (§1.7).
 */
export function storeCopy(
  app: HelmApplication,
  { copy }: World,
  { derived, entered }: { readonly derived: Derived; readonly entered: boolean },
): readonly Write<"HelmApplication">[] {
  if (!copy) return derived.state === "draft" ? [] : [newCopy(app, derived)];
  const stale = entered && !sameJson({ ...copy.spec, ...app.spec }, copy.spec);
  const spec = stale ? [apply(HelmApplication, { metadata: { name: copy.metadata.name }, spec: app.spec })] : [];
  return [...statusWrite(copy, derived), ...spec];
}

function newCopy(app: HelmApplication, derived: Derived): Write<"HelmApplication"> {
  const { [LABEL.workspace]: workspace = "", ...labels } = app.metadata.labels ?? {};
  const status = derivedStatus(undefined, derived);
  const metadata = {
    name: `${app.metadata.name}${STORE_SUFFIX}`,
    ...(app.metadata.annotations ? { annotations: app.metadata.annotations } : {}),
    labels: {
      [LABEL.categoryId]: UNCATEGORIZED,
      ...labels,
      [LABEL.repoId]: STORE_REPO,
      [LABEL.workspaceOrigin]: workspace,
    },
  };
  const owner = { kind: HelmApplication, name: app.metadata.name };
  return create(HelmApplication, { metadata, spec: app.spec, ...(status ? { status } : {}) }, owner);
}
