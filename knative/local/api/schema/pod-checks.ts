import { child, duplicate, invalid, required } from "./field-errors.ts";
import { at, isObject, type Json, listOf, textOf } from "./json.ts";
import { labelNameProblems } from "./names.ts";
import type { FieldError } from "./validate.ts";

/** Where kinds keep a pod's specification. */
const POD_PATHS: Readonly<Record<string, readonly string[]>> = {
  "/Pod": ["spec"],
  "/PodTemplate": ["template", "spec"],
  "/ReplicationController": ["spec", "template", "spec"],
  "apps/Deployment": ["spec", "template", "spec"],
  "apps/StatefulSet": ["spec", "template", "spec"],
  "apps/DaemonSet": ["spec", "template", "spec"],
  "apps/ReplicaSet": ["spec", "template", "spec"],
  "batch/Job": ["spec", "template", "spec"],
  "batch/CronJob": ["spec", "jobTemplate", "spec", "template", "spec"],
};

/** What is wrong with the pod that an object describes: no containers, containers without usable names or images, unknown volumes. */
export function podErrors(name: string, object: Json): readonly FieldError[] {
  const path = POD_PATHS[name];
  const spec = path === undefined ? undefined : at(object, ...path);
  if (path === undefined || !isObject(spec)) return [];
  const place = path.join(".");
  const empty = Array.isArray(spec["containers"]) && spec["containers"].length === 0;
  // A StatefulSet's claims become volumes of its pods.
  const claims = listOf(at(object, "spec", "volumeClaimTemplates")).map((claim) =>
    textOf(at(claim, "metadata", "name")),
  );
  const modes = listOf(spec["volumes"]).map((volume, index) =>
    modeErrors(`${child(place, "volumes")}[${index}]`, volume),
  );
  const usable = listOf(spec["volumes"]).filter((_, index) => modes[index]?.length === 0);
  const volumes = new Set([...claims, ...usable.map((volume) => textOf(at(volume, "name")))]);
  const lists = ["initContainers", "containers"].flatMap((key) =>
    containersErrors(child(place, key), listOf(spec[key]), volumes),
  );
  return [
    ...(empty ? [required(child(place, "containers"))] : []),
    ...namesErrors(child(place, "volumes"), listOf(spec["volumes"])),
    ...modes.flat(),
    ...lists,
  ];
}

const highestMode = 0o777;

function modeErrors(path: string, volume: Json): readonly FieldError[] {
  return ["secret", "configMap", "projected", "downwardAPI"].flatMap((source) => {
    const mode = at(volume, source, "defaultMode");
    if (typeof mode !== "number" || (mode >= 0 && mode <= highestMode)) return [];
    const why = "must be a number between 0 and 0777 (octal), both inclusive";
    return [invalid(`${path}.${source}.defaultMode`, mode, why)];
  });
}

function containersErrors(path: string, list: readonly Json[], volumes: ReadonlySet<string>): readonly FieldError[] {
  const own = list.flatMap((container, index) => {
    const image = at(container, "image") === undefined || at(container, "image") === "";
    const mounts = mountErrors(`${path}[${index}].volumeMounts`, container, volumes);
    return [...(image ? [required(`${path}[${index}].image`)] : []), ...mounts];
  });
  return [...namesErrors(path, list), ...own];
}

function mountErrors(path: string, container: Json, volumes: ReadonlySet<string>): readonly FieldError[] {
  return listOf(at(container, "volumeMounts")).flatMap((mount, index) => {
    const name = textOf(at(mount, "name"));
    if (volumes.has(name)) return [];
    const field = `${path}[${index}].name`;
    return [{ field, reason: "FieldValueNotFound", message: `Not found: ${JSON.stringify(name)}` }];
  });
}

function namesErrors(path: string, list: readonly Json[]): readonly FieldError[] {
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const name = textOf(at(item, "name"));
    const field = `${path}[${index}].name`;
    if (name === "") return at(item, "name") === "" ? [required(field)] : [];
    if (seen.has(name)) return [duplicate(field, name)];
    seen.add(name);
    return labelNameProblems(name).map((problem) => invalid(field, name, problem));
  });
}
