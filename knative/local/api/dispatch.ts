import type { Credentials } from "./authenticate.ts";
import { type Answer, type Call, flag, jsonAnswer } from "./call.ts";
import { createObject } from "./create.ts";
import { deleteMany, deleteOne } from "./delete.ts";
import {
  aggregatedDiscovery,
  aggregatedType,
  coreVersions,
  groupInfo,
  groupList,
  resourceList,
  verbsOf,
  wantsAggregated,
} from "./discovery.ts";
import { failure, forbidden, methodNotAllowed, unknownPath } from "./errors.ts";
import { getObject, listObjects } from "./list.ts";
import { patchObject } from "./patch.ts";
import { type Action, allowedBy } from "./rbac.ts";
import { replaceWhole } from "./replace.ts";
import { parseResourcePath, type ResourcePath } from "./resource-path.ts";
import { reviewOf } from "./reviews.ts";
import type { KindInfo } from "./schema/kinds.ts";
import { handleSubresource } from "./subresources.ts";
import type { Backend, Target } from "./target.ts";
import { watchObjects } from "./watch.ts";

/** What requests are answered from. */
export interface Serving extends Backend {
  readonly credentials: Credentials;
  readonly openApi: (call: Call) => Answer | undefined;
  readonly address: () => string;
  /** Told about failures that are this server's own fault. */
  readonly report: (message: string) => void;
}

type Outcome = Promise<Answer | undefined> | Answer | undefined;

/** Finds and runs what a request asks for; undefined when the answer was streamed. Throws or rejects with ApiError. */
export function dispatch(serving: Serving, call: Call): Outcome {
  const path = parseResourcePath(call.path);
  if (path !== undefined) return dispatchResource(serving, path, call);
  allowPath(serving, call);
  if (call.method !== "GET") throw methodNotAllowed();
  const answer = fixedAnswer(serving, call) ?? serving.openApi(call) ?? discoveryAnswer(serving, call);
  if (answer === undefined) throw unknownPath();
  return answer;
}

/** Paths that need no credentials. */
export const openPaths: ReadonlySet<string> = new Set(["/healthz", "/livez", "/readyz", "/version"]);

function fixedAnswer(_: Serving, call: Call): Answer | undefined {
  const root = `/${call.path.split("/")[1] ?? ""}`;
  if (call.path === "/version") return jsonAnswer(200, versionInfo);
  return openPaths.has(root) ? { code: 200, text: "ok", type: "text/plain; charset=utf-8" } : undefined;
}

// The Kubernetes release whose schemas and behaviour this server follows.
const versionInfo = {
  major: "1",
  minor: "34",
  gitVersion: "v1.34.2+openpitrix",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "2026-01-01T00:00:00Z",
  goVersion: "",
  compiler: "node",
  platform: `${process.platform}/${process.arch}`,
};

const rootPaths = ["/api", "/apis", "/healthz", "/livez", "/openapi/v2", "/openapi/v3", "/readyz", "/version"];

function discoveryAnswer(serving: Serving, call: Call): Answer | undefined {
  const { registry } = serving;
  const path = call.path.replace(/(?<=.)\/$/u, "");
  if (path === "/") return jsonAnswer(200, { paths: rootPaths });
  if ((path === "/api" || path === "/apis") && wantsAggregated(call.request.headers.accept)) {
    return { ...jsonAnswer(200, aggregatedDiscovery(registry, path === "/api")), type: aggregatedType };
  }
  const found = plainDiscovery(serving, path);
  return found === undefined ? undefined : jsonAnswer(200, found);
}

function plainDiscovery({ registry, address }: Serving, path: string): object | undefined {
  if (path === "/api") return coreVersions(address());
  if (path === "/apis") return groupList(registry);
  const [, root, first = "", second] = path.split("/");
  if (root === "api") return resourceList(registry, "", first);
  if (root !== "apis") return undefined;
  return second === undefined ? groupInfo(registry, first) : resourceList(registry, first, second);
}

function allowPath({ storage }: Serving, call: Call): void {
  if (openPaths.has(call.path) || openPaths.has(`/${call.path.split("/")[1]}`)) return;
  const verb = call.method.toLowerCase();
  if (allowedBy(storage, call.user, { verb, path: call.path }) !== undefined) return;
  const message = `forbidden: User ${JSON.stringify(call.user.name)} cannot ${verb} path ${JSON.stringify(call.path)}`;
  throw failure({ code: 403, reason: "Forbidden", message, details: {} });
}

function dispatchResource(serving: Serving, path: ResourcePath, call: Call): Outcome {
  const target = targetOf(serving, path);
  const { kind } = target;
  const verb = verbOf(path, call);
  authorize(serving, { target, verb }, call);
  if (kind.deprecated !== undefined) call.warnings.push(kind.deprecated);
  if (target.subresource !== undefined) return handleSubresource(serving, target, call);
  const review = verb === "create" ? reviewOf(kind) : undefined;
  if (review !== undefined) return review(serving.credentials, call);
  if (!verbsOf(kind).includes(verb) || lacksNamespace(target, verb)) throw methodNotAllowed();
  return verbs[verb]?.(serving, target, call);
}

function targetOf(
  { registry }: Serving,
  { group, version, plural, namespace, name, subresource }: ResourcePath,
): Target {
  const kind = registry.find(group, version, plural);
  if (kind === undefined || (!kind.namespaced && namespace !== "")) throw unknownPath();
  return { kind, namespace, name, subresource };
}

function lacksNamespace({ kind, namespace, name }: Target, verb: string): boolean {
  return kind.namespaced && namespace === "" && (name !== undefined || verb === "create");
}

type Verb = (backend: Backend, target: Target, call: Call) => Outcome;

const verbs: Readonly<Record<string, Verb>> = {
  get: getObject,
  list: listObjects,
  watch: async (backend, target, call) => {
    await watchObjects(backend, target, call);
    return undefined;
  },
  create: createObject,
  update: replaceWhole,
  patch: patchObject,
  delete: deleteOne,
  deletecollection: deleteMany,
};

const verbsOfObject: Readonly<Record<string, string>> = {
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
  POST: "create",
};
const verbsOfCollection: Readonly<Record<string, string>> = {
  GET: "list",
  HEAD: "list",
  POST: "create",
  DELETE: "deletecollection",
};

function verbOf(path: ResourcePath, call: Call): string {
  const single = path.name !== undefined;
  if (call.method === "GET" && (path.watch || (!single && flag(call.query, "watch")))) return "watch";
  const verb = (single ? verbsOfObject : verbsOfCollection)[call.method];
  if (verb === undefined || (single && verb === "create" && path.subresource === undefined)) throw methodNotAllowed();
  return verb;
}

function authorize({ storage }: Serving, { target, verb }: { target: Target; verb: string }, call: Call): void {
  const action = actionOf(target, verb);
  if (allowedBy(storage, call.user, action) !== undefined) return;
  const { kind, name = "" } = target;
  const where = action.namespace ? `in the namespace ${JSON.stringify(action.namespace)}` : "at the cluster scope";
  const resource = target.subresource === undefined ? kind.plural : `${kind.plural}/${target.subresource}`;
  const why = `User ${JSON.stringify(call.user.name)} cannot ${verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(kind.group)} ${where}`;
  throw forbidden({ group: kind.group, plural: kind.plural, name }, why);
}

// A namespace lies in itself, so that a role in it can allow reading it.
function actionOf({ kind, namespace, name, subresource }: Target, verb: string): Action {
  return {
    verb,
    group: kind.group,
    resource: kind.plural,
    namespace: isNamespace(kind) ? (name ?? "") : namespace,
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  };
}

function isNamespace(kind: KindInfo): boolean {
  return kind.group === "" && kind.plural === "namespaces";
}
