import type { HttpAnswer } from "../../shared/http-function.ts";
import type { KubeObject } from "../../shared/resource.ts";
import { answered } from "../../shared/rest/answers.ts";
import { cut, pageOf } from "../../shared/rest/paging.ts";
import type { Call } from "./call.ts";

/** Answers a page of a v1 list; only the objects on the page are given their shape. */
export async function page<T>(
  { request }: Call,
  found: readonly T[],
  shape: (item: T) => unknown | Promise<unknown>,
): Promise<HttpAnswer> {
  const { items, total } = cut(found, pageOf(request.query));
  return answered({ items: await Promise.all(items.map(shape)), total_count: total });
}

/** In the order asked for: `reverse=true` turns the list round. */
export function inOrder<T>({ request }: Call, ascending: readonly T[]): readonly T[] {
  return request.query.get("reverse") === "true" ? ascending.toReversed() : ascending;
}

interface Named extends KubeObject {
  readonly spec: { readonly name?: string };
}

/** Oldest first, by display name where made at the same time (§6.3). */
export function byCreation<T extends Named>(objects: readonly T[]): readonly T[] {
  const keys = new Map(objects.map((each) => [each, `${each.metadata.creationTimestamp} ${each.spec.name ?? ""}`]));
  return objects.toSorted((a, b) => ((keys.get(a) ?? "") < (keys.get(b) ?? "") ? -1 : 1));
}
