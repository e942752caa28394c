import { sha256 } from "../digest.ts";
import type { Event } from "../event.ts";
import type { ObjectMeta } from "../resource.ts";
import { ANNOTATION } from "../resources/labels.ts";

/** Acts that an object remembers: more than come between an act and its repeat. */
const REMEMBERED = 16;

/** Whether an act has had its effect on an object already: then it is told again, and not done again. */
export function isDone({ metadata }: { readonly metadata: ObjectMeta }, event: Event): boolean {
  return known(metadata).includes(markOf(event));
}

/** Whether an act was the last one that had its effect on an object. */
export function isNewest({ metadata }: { readonly metadata: ObjectMeta }, event: Event): boolean {
  return known(metadata)[0] === markOf(event);
}

/** The annotations of an object on which an act takes effect. */
export function remembering(metadata: Pick<ObjectMeta, "annotations">, event: Event): Readonly<Record<string, string>> {
  const acts = [markOf(event), ...known(metadata)].slice(0, REMEMBERED);
  return { ...metadata.annotations, [ANNOTATION.acts]: acts.join(",") };
}

function known({ annotations }: Pick<ObjectMeta, "annotations">): readonly string[] {
  return annotations?.[ANNOTATION.acts]?.split(",") ?? [];
}

/** Ids may be alike where people make them up, and longer than an annotation should be. */
function markOf({ type, source, id }: Event): string {
  return sha256([type, source, id].join("\0")).slice("sha256:".length, "sha256:".length + 12);
}
