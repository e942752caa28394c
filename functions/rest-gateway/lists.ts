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

/** Lists from memory are the same array until something changes: each is sorted once. */
const sorted = new WeakMap<readonly Named[], readonly Named[]>();

/** Oldest first, by display name where made at the same time (§6.3). */
export function byCreation<T extends Named>(objects: readonly T[]): readonly T[] {
  const known = sorted.get(objects) ?? sortedByCreation(objects);
  sorted.set(objects, known);
  return known as readonly T[];
}

function sortedByCreation(objects: readonly Named[]): readonly Named[] {
  const keyed = objects.map((each) => ({ each, key: `${each.metadata.creationTimestamp} ${each.spec.name ?? ""}` }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ each }) => each);
}
