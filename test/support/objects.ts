import { randomUUID } from "node:crypto";
import type { Decision } from "../../shared/decision.ts";
import type { Event, EventDefinition } from "../../shared/event.ts";
import { apiVersionOf, type KubeObject, type ResourceDefinition } from "../../shared/resource.ts";

/** The moment at which everything in pure tests happens. */
export const NOW = new Date("2026-05-04T12:00:00Z");

/** A moment long enough before NOW that nothing is waited for any more. */
export const LONG_AGO = "2026-05-04T11:00:00.000Z";

/** Metadata, spec and status of an object in a test. */
export interface Parts<O extends KubeObject> {
  readonly metadata?: Partial<KubeObject["metadata"]>;
  readonly spec?: "spec" extends keyof O ? O["spec"] : never;
  readonly status?: "status" extends keyof O ? NonNullable<O["status"]> : never;
}

/** An object of that kind as the API server would hand it out. */
export function given<K extends string, O extends KubeObject>(
  kind: ResourceDefinition<K, O>,
  name: string,
  parts: Parts<O> = {},
): O {
  const metadata = { name, uid: `uid-${name}`, resourceVersion: "1", generation: 1, ...parts.metadata };
  const { spec, status } = parts;
  const object = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata,
    ...(spec ? { spec } : {}),
    ...(status ? { status } : {}),
  };
  return object as unknown as O;
}

/** An event of that type, made at NOW unless said otherwise. */
export function happened<D>(definition: EventDefinition<string, D>, data: D, over: Partial<Event> = {}): Event<D> {
  return {
    specversion: "1.0",
    id: "event-1",
    source: "/test",
    type: definition.type,
    time: NOW.toISOString(),
    ...over,
    data,
  };
}

/** The writes of a decision as `verb plural/name`, in order. */
export function writesOf(decision: Decision): readonly string[] {
  return (decision.write ?? []).map(({ verb, kind, object }) => {
    const { namespace, name } = object.metadata;
    return `${verb} ${[kind.plural, namespace, name].filter(Boolean).join("/")}`;
  });
}

/** The types a decision announces, without the common prefix. */
export function announcedBy(decision: Decision): readonly string[] {
  return (decision.announce ?? []).map(({ type }) => type.replace("io.openpitrix.", ""));
}

/** The objects that a decision writes with that verb, of one kind where it is given. */
export function writtenBy<O extends KubeObject = KubeObject>(
  decision: Decision,
  verb: string,
  kind?: ResourceDefinition<string, O>,
): readonly O[] {
  const writes = (decision.write ?? []).filter((write) => write.verb === verb);
  return writes.filter(({ object }) => !kind || object.kind === kind.kind).map(({ object }) => object as O);
}

/** An event as a person would send it now, with an id of its own. */
export function newEvent<D>(definition: EventDefinition<string, D>, data: D): Event<D> {
  return happened(definition, data, { id: randomUUID(), source: "/test", time: new Date().toISOString() });
}
