import type { KubeObject } from "../resource.ts";
import { labelSelector } from "./label-selector.ts";
import { cut } from "./paging.ts";

/** The parts of an object that the generic query looks at. */
export interface Listed extends KubeObject {
  readonly spec?: { readonly name?: string | undefined };
  readonly status?: object & { readonly state?: string | undefined };
}

const NO_FILTERS = ["limit", "page", "sortBy", "ascending"];

type Fits = (object: Listed) => boolean;

/** Filters of KubeSphere's generic list query (§6.6), each made of its value once; a key that is not known matches nothing. */
const FILTERS: Readonly<Record<string, (value: string) => Fits>> = {
  name:
    (value) =>
    ({ spec, metadata }) =>
      (spec?.name ?? metadata.name).includes(value),
  status:
    (value) =>
    ({ status }) =>
      (status?.state ?? "").includes(value),
  names(value) {
    const names = new Set(value.split(","));
    return ({ metadata }) => names.has(metadata.name);
  },
  uid:
    (value) =>
    ({ metadata }) =>
      metadata.uid === value,
  label:
    (value) =>
    ({ metadata }) =>
      hasPair(metadata.labels, value),
  annotation:
    (value) =>
    ({ metadata }) =>
      hasPair(metadata.annotations, value),
  ownerReference:
    (value) =>
    ({ metadata }) =>
      (metadata.ownerReferences ?? []).some(({ uid }) => uid === value),
  ownerKind:
    (value) =>
    ({ metadata }) =>
      (metadata.ownerReferences ?? []).some(({ kind }) => kind === value),
  labelSelector(value) {
    const selects = labelSelector(value);
    return ({ metadata }) => selects?.(metadata.labels ?? {}) ?? false;
  },
};

/** Filters, sorts and pages a v2alpha1 list: `limit` (default all), `page`, `sortBy`, `ascending` (default false). */
export function listed<T extends Listed>(objects: readonly T[], query: URLSearchParams) {
  // As in Go, the first of several values counts.
  const keys = [...new Set(query.keys())].filter((key) => !NO_FILTERS.includes(key));
  const filters = keys.map((key) => (Object.hasOwn(FILTERS, key) ? FILTERS[key]?.(query.get(key) ?? "") : undefined));
  const found = objects.filter((object) => filters.every((fits) => fits?.(object) ?? false));
  const sorted = found.toSorted(query.get("sortBy") === "name" ? byName : byCreation);
  const limit = Number(query.get("limit") ?? -1);
  const page = Math.max(1, Number(query.get("page") ?? 1) || 1);
  const whole = !Number.isInteger(limit) || limit < 0;
  const { items, total } = cut(
    query.get("ascending") === "true" ? sorted : sorted.reverse(),
    whole ? { limit: -1, offset: 0 } : { limit, offset: (page - 1) * limit },
  );
  return { items, totalItems: total };
}

function byName(a: Listed, b: Listed): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

function byCreation(a: Listed, b: Listed): number {
  const [first = "", second = ""] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  return first === second ? byName(a, b) : first < second ? -1 : 1;
}

/** `key=value`, or `key` alone for whatever value. */
function hasPair(pairs: Readonly<Record<string, string>> | undefined, text: string): boolean {
  const [key = "", value] = text.split("=", 2);
  const found = pairs?.[key.trim()];
  return value === undefined ? found !== undefined : found === value.trim();
}
