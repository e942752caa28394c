import { randomUUID } from "node:crypto";
import type { Event } from "../../../shared/event.ts";
import type { WatchEvent } from "../../../shared/ports.ts";
import type { KubeObject } from "../../../shared/resource.ts";
import type { ApiServerSource } from "../eventing/kinds.ts";

const CHANGE = { ADDED: "add", MODIFIED: "update", DELETED: "delete" } as const;

/** Where a change was seen: URL of the API server, plural of the kind, and what the source adds. */
export interface Seen {
  readonly host: string;
  readonly plural: string;
  readonly spec: Pick<ApiServerSource["spec"], "mode" | "ceOverrides">;
  readonly now: Date;
}

/** The event an ApiServerSource sends for one change: random id, the whole object in mode Resource, only its name in mode Reference. */
export function apiServerEvent({ type, object }: WatchEvent, { host, plural, spec, now }: Seen): Event {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace = "" } = metadata;
  const mode = spec.mode === "Resource" ? "resource" : "ref";
  return {
    specversion: "1.0",
    id: randomUUID(),
    source: host,
    type: `dev.knative.apiserver.${mode}.${CHANGE[type]}`,
    subject: `/apis/${apiVersion}/namespaces/${namespace}/${plural}/${name}`,
    time: now.toISOString(),
    datacontenttype: "application/json",
    extensions: {
      kind,
      name,
      ...(namespace === "" ? {} : { namespace }),
      apiversion: apiVersion,
      ...spec.ceOverrides?.extensions,
    },
    data: spec.mode === "Resource" ? object : reference(object),
  };
}

function reference({ apiVersion, kind, metadata: { name, namespace } }: KubeObject) {
  return { kind, ...(namespace === undefined ? {} : { namespace }), name, apiVersion };
}
