import { withoutUserInfo } from "../../shared/charts/user-info.ts";
import type { KubeObject, ResourceDefinition } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { answered, RestError } from "../../shared/rest/answers.ts";
import { type Listed, listed } from "../../shared/rest/generic-query.ts";
import { baseId, workspaceOf } from "../../shared/rest/shapes.ts";
import { type Call, type Handler, isVisible, param } from "./call.ts";

/** Lists objects of a kind as they are (§6.6). */
function list(kind: ResourceDefinition<string, Listed>, fits: (object: Listed, call: Call) => boolean): Handler {
  return async (call) => {
    const objects = await call.ports.kube.list(kind as never);
    const found = (objects as readonly Listed[]).filter((object) => fits(object, call)).map(withoutSecrets);
    return answered(listed(found, call.request.query));
  };
}

/** Gives one object as it is. */
function describe(kind: ResourceDefinition<string, Listed>, name: string): Handler {
  return async (call) => {
    const object = (await call.ports.kube.get(kind as never, param(call, name))) as Listed | undefined;
    const what = `${kind.plural}.${kind.group} "${param(call, name)}" not found`;
    if (!object || !isVisible(call, object)) throw new RestError(404, what);
    return answered(withoutSecrets(object));
  };
}

/** What kubectl keeps of an object that it applied: all that was in it, credentials too. */
const APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** KubeSphere's describe hands credentials out (§6.6); here nobody gets them, and no index either. */
function withoutSecrets(object: Listed): KubeObject {
  if (object.kind !== HelmRepo.kind) return object;
  const { spec, status, metadata } = object as HelmRepo;
  const { credential: _, ...shown } = spec;
  const { data: __, ...rest } = status ?? {};
  const { [APPLIED]: ___, ...annotations } = metadata.annotations ?? {};
  return {
    ...object,
    metadata: { ...metadata, annotations },
    spec: { ...shown, url: withoutUserInfo(spec.url) },
    status: rest,
  } as KubeObject;
}

/** Lists of a workspace hold its own objects. */
function inPath(object: Listed, { params }: Call): boolean {
  const { workspace } = params;
  return workspace === undefined || workspaceOf(object) === workspace;
}

function ofApp(object: Listed, call: Call): boolean {
  return inPath(object, call) && object.metadata.labels?.[LABEL.appId] === baseId(param(call, "app"));
}

/** Handlers of v2alpha1. */
export const RAW = {
  repos: list(HelmRepo, inPath),
  repo: describe(HelmRepo, "repo"),
  apps: list(HelmApplication, inPath),
  app: describe(HelmApplication, "app"),
  versions: list(HelmApplicationVersion, ofApp),
  version: describe(HelmApplicationVersion, "version"),
  categories: list(HelmCategory, () => true),
  category: describe(HelmCategory, "category"),
} as const;
