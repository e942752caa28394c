import { decodeJson, decodeObject, readBody } from "./body.ts";
import { type Answer, type Call, jsonAnswer } from "./call.ts";
import { badRequest, notFound, unknownPath } from "./errors.ts";
import { applyJsonPatch, applyMergePatch } from "./json-patches.ts";
import type { KubeObject } from "./object.ts";
import { liveObject } from "./patch.ts";
import { at, isObject, type Json, type JsonObject, objectOf } from "./schema/json.ts";
import type { KindInfo, ScalePaths } from "./schema/kinds.ts";
import { type Backend, stamped, subjectOf, type Target } from "./target.ts";
import { changeObject } from "./update.ts";
import { writeOptions } from "./write-options.ts";

/** Answers GET, PUT and PATCH of the scale subresource: an autoscaling/v1 Scale that stands for the object. */
export async function handleScale(backend: Backend, target: Target, call: Call): Promise<Answer> {
  const paths = target.kind.subresources.scale;
  if (paths === undefined) throw unknownPath();
  const live = liveObject(backend, target);
  if (live === undefined) throw notFound(subjectOf(target.kind, target.name ?? ""));
  if (call.method === "GET") return jsonAnswer(200, scaleOf(target.kind, paths, live));
  const scaled = await readScale(call, scaleOf(target.kind, paths, live));
  const replicas = at(scaled, "spec", "replicas") ?? 0;
  if (typeof replicas !== "number") throw badRequest("spec.replicas of a Scale must be a number");
  const revision = at(scaled, "metadata", "resourceVersion");
  const next = (object: KubeObject): KubeObject => {
    const metadata = { ...object.metadata };
    if (typeof revision === "string" && call.method === "PUT") metadata.resourceVersion = revision;
    return { ...(setAt(object, stepsOf(paths.specReplicasPath), replicas) as KubeObject), metadata };
  };
  const whole: Target = { ...target, subresource: undefined };
  const written = await changeObject(backend, {
    target: whole,
    through: "scale",
    options: writeOptions(call),
    warnings: call.warnings,
    next,
  });
  return jsonAnswer(200, scaleOf(target.kind, paths, stamped(written)));
}

async function readScale(call: Call, current: JsonObject): Promise<Json> {
  const body = await readBody(call.request);
  if (call.method === "PUT") return decodeObject(body);
  const patch = decodeJson(body.bytes.toString());
  return body.type === "application/json-patch+json" ? applyJsonPatch(current, patch) : applyMergePatch(current, patch);
}

function scaleOf(kind: KindInfo, paths: ScalePaths, object: KubeObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: at(object, ...stepsOf(paths.specReplicasPath)) ?? 0 },
    status: {
      replicas: at(object, ...stepsOf(paths.statusReplicasPath)) ?? 0,
      selector: selectorText(
        kind,
        paths.labelSelectorPath === undefined ? undefined : at(object, ...stepsOf(paths.labelSelectorPath)),
      ),
    },
  };
}

function selectorText(kind: KindInfo, selector: Json | undefined): string | undefined {
  if (typeof selector === "string" || kind.origin === "crd") return typeof selector === "string" ? selector : undefined;
  const labels = objectOf(at(selector, "matchLabels") ?? selector);
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}

function stepsOf(path: string): readonly string[] {
  return path.split(".").filter((step) => step !== "");
}

function setAt(value: Json, [step, ...rest]: readonly string[], leaf: Json): Json {
  if (step === undefined) return leaf;
  const object = isObject(value) ? value : {};
  return { ...object, [step]: setAt(object[step] ?? {}, rest, leaf) };
}
