import type { WatchEvent } from "../ports.ts";
import type { KubeObject } from "../resource.ts";

/** Names and versions of the objects that a watch has reported and that still exist. */
export interface KnownObjects {
  note(event: WatchEvent): void;
  /** What changed between the last report and a fresh list, in an order in which it can be applied. */
  compare(items: readonly KubeObject[]): Generator<WatchEvent, void, undefined>;
}

/** Starts with nothing known. Holds one small entry per object, no more than the list it mirrors. */
export function knownObjects(): KnownObjects {
  const known = new Map<string, KubeObject>();
  const note = ({ type, object }: WatchEvent) => {
    if (type === "DELETED") known.delete(keyOf(object));
    else known.set(keyOf(object), trace(object));
  };
  const vanished = (items: readonly KubeObject[]) => {
    const present = new Set(items.map(identityOf));
    return [...known.values()].filter((object) => !present.has(identityOf(object)));
  };
  const changeOf = (object: KubeObject): WatchEvent | undefined => {
    const before = known.get(keyOf(object));
    if (before === undefined) return { type: "ADDED", object };
    const same = before.metadata.resourceVersion === object.metadata.resourceVersion;
    return same ? undefined : { type: "MODIFIED", object };
  };
  return {
    note,
    *compare(items) {
      for (const object of vanished(items)) {
        const event: WatchEvent = { type: "DELETED", object };
        note(event);
        yield event;
      }
      for (const event of items.map(changeOf)) {
        if (event === undefined) continue;
        note(event);
        yield event;
      }
    },
  };
}

/** An object made anew under an old name is another object. */
function identityOf(object: KubeObject): string {
  return `${keyOf(object)}/${object.metadata.uid}`;
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}

function trace({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
  };
}
