import type { Json } from "./schema/json.ts";

/** A reference from an object to the one that owns it. */
export type OwnerReference = {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

/** The metadata fields that the server itself reads or writes. */
export type ObjectMeta = {
  name: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  managedFields?: Json;
};

/** Any Kubernetes object. */
export type KubeObject = {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: Json | undefined;
};

/** The apiVersion of a group and version. */
export function apiVersionOf(kind: { readonly group: string; readonly version: string }): string {
  return kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
}

/** Splits an apiVersion into group and version. */
export function splitApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const [first = "", second] = apiVersion.split("/");
  return second === undefined ? { group: "", version: first } : { group: first, version: second };
}

/** `deployments.apps`, `secrets`: how messages name a resource. */
export function qualifiedResource(kind: { readonly group: string; readonly plural: string }): string {
  return kind.group === "" ? kind.plural : `${kind.plural}.${kind.group}`;
}

let lastSecond = { second: 0, text: "" };

/** The time in the form that objects carry: RFC 3339, whole seconds. */
export function timestamp(now: Date | number = Date.now()): string {
  const second = Math.floor(Number(now) / 1000);
  if (second !== lastSecond.second) {
    lastSecond = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` };
  }
  return lastSecond.text;
}

/** Parses text that the store holds; it was written by this server, so its shape is known. */
export function parseObject(text: string): KubeObject {
  return JSON.parse(text) as KubeObject;
}
