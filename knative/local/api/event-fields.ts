import { apiVersionOf, type KubeObject } from "./object.ts";
import type { KindInfo } from "./schema/kinds.ts";

const renamed = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["reportingComponent", "reportingController"],
] as const;

const toNew = new Map<string, string>(renamed);
const toOld = new Map<string, string>(renamed.map(([old, now]) => [now, old]));
const newVersion = "events.k8s.io/v1";

/** Whether a kind's fields are stored under other names: Events of events.k8s.io are stored as those of v1. */
export function isRenamed(kind: KindInfo): boolean {
  return kind.kind === "Event" && apiVersionOf(kind) === newVersion;
}

/** A stored Event in the words of events.k8s.io. */
export function fromStored(event: KubeObject): KubeObject {
  return { ...withNames(event, toNew), apiVersion: newVersion };
}

/** An Event of events.k8s.io in the words in which it is stored. */
export function toStored(event: KubeObject): KubeObject {
  return { ...withNames(event, toOld), apiVersion: "v1" };
}

function withNames(event: KubeObject, names: ReadonlyMap<string, string>): KubeObject {
  return Object.fromEntries(
    Object.entries(event).map(([field, value]) => [names.get(field) ?? field, value]),
  ) as KubeObject;
}
