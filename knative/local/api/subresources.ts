import { writtenAnswer } from "./answers.ts";
import { decodeObject, readBody } from "./body.ts";
import { type Answer, type Call, jsonAnswer } from "./call.ts";
import { deleteEntry } from "./delete.ts";
import type { Serving } from "./dispatch.ts";
import { methodNotAllowed, notFound, unknownPath } from "./errors.ts";
import { objectFor } from "./incoming.ts";
import { getObject } from "./list.ts";
import type { KubeObject } from "./object.ts";
import { patchObject } from "./patch.ts";
import { replaceWhole } from "./replace.ts";
import { requestToken } from "./reviews.ts";
import { handleScale } from "./scale.ts";
import { at, type Json } from "./schema/json.ts";
import { idOf, subjectOf, type Target } from "./target.ts";
import { changeObject } from "./update.ts";
import { writeOptions } from "./write-options.ts";

type Handler = (serving: Serving, target: Target, call: Call) => Promise<Answer> | Answer;

/** Answers requests below an object: status, scale, token, finalize, eviction, log. Throws 404 and 405. */
export function handleSubresource(serving: Serving, target: Target, call: Call): Promise<Answer> | Answer {
  const { kind, subresource = "" } = target;
  if (subresource === "status" && kind.subresources.status) return handleStatus(serving, target, call);
  if (subresource === "scale" && kind.subresources.scale !== undefined) return handleScale(serving, target, call);
  const handler = handlers[`${kind.group}/${kind.kind}/${subresource}`];
  if (handler === undefined) throw unknownPath();
  return handler(serving, target, call);
}

function handleStatus(serving: Serving, target: Target, call: Call): Promise<Answer> | Answer {
  if (call.method === "GET") return getObject(serving, target, call);
  if (call.method === "PUT") return replaceWhole(serving, target, call);
  if (call.method === "PATCH") return patchObject(serving, target, call);
  throw methodNotAllowed();
}

const handlers: Readonly<Record<string, Handler>> = {
  "/ServiceAccount/token": (serving, target, call) => {
    if (call.method !== "POST") throw methodNotAllowed();
    return requestToken(serving, { target, credentials: serving.credentials }, call);
  },
  "/Namespace/finalize": finalizeNamespace,
  "/Pod/eviction": evictPod,
  "/Pod/log": podLog,
};

async function finalizeNamespace(serving: Serving, target: Target, call: Call): Promise<Answer> {
  if (call.method !== "PUT") throw methodNotAllowed();
  const wanted = objectFor(target, decodeObject(await readBody(call.request)));
  const finalizers: Json = at(wanted, "spec", "finalizers") ?? [];
  const next = (live: KubeObject): KubeObject => ({ ...live, spec: { ...(live["spec"] as object), finalizers } });
  const written = await changeObject(serving, { target, options: writeOptions(call), warnings: call.warnings, next });
  return writtenAnswer(call, target.kind, { code: 200, written });
}

async function evictPod(serving: Serving, target: Target, call: Call): Promise<Answer> {
  if (call.method !== "POST") throw methodNotAllowed();
  await readBody(call.request);
  const { kind, namespace, name = "" } = target;
  const entry = serving.storage.get(idOf(kind, namespace, name));
  if (entry === undefined) throw notFound(subjectOf(kind, name));
  await deleteEntry(serving, { kind, options: { dryRun: false, propagation: "Background" } }, entry);
  return jsonAnswer(201, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
}

function podLog(serving: Serving, target: Target): Answer {
  const { kind, namespace, name = "" } = target;
  if (serving.storage.get(idOf(kind, namespace, name)) === undefined) throw notFound(subjectOf(kind, name));
  const text = "This API server stores objects only: no container of this pod ever ran.\n";
  return { code: 200, text, type: "text/plain; charset=utf-8" };
}
