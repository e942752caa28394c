import type { KubeObject } from "../resource.ts";
import { cut } from "./paging.ts";

/** The parts of an object that the generic query looks at. */
export interface Listed extends KubeObject {
  readonly spec?: { readonly name?: string | undefined };
  readonly status?: object & { readonly state?: string | undefined };
}

type Filter = (object: Listed, value: string) => boolean;

/** Filters of KubeSphere's generic list query (§6.6); a key that is not known matches nothing. */
const FILTERS: Readonly<Record<string, Filter>> = {
  name: ({ spec, metadata }, value) => (spec?.name ?? metadata.name).includes(value),
  status: ({ status }, value) => (status?.state ?? "").includes(value),
  names: ({ metadata }, value) => value.split(",").includes(metadata.name),
  uid: ({ metadata }, value) => metadata.uid === value,
  label: ({ metadata }, value) => hasPair(metadata.labels, value),
  annotation: ({ metadata }, value) => hasPair(metadata.annotations, value),
  ownerReference: ({ metadata }, value) => (metadata.ownerReferences ?? []).some(({ uid }) => uid === value),
  ownerKind: ({ metadata }, value) => (metadata.ownerReferences ?? []).some(({ kind }) => kind === value),
  labelSelector: ({ metadata }, value) => value.split(",").every((pair) => hasPair(metadata.labels, pair)),
};

const NO_FILTERS = ["limit", "page", "sortBy", "ascending"];

/** Filters, sorts and pages a v2alpha1 list: `limit` (default all), `page`, `sortBy`, `ascending` (default false). */
export function listed<T extends Listed>(objects: readonly T[], query: URLSearchParams) {
  const filters = [...query].filter(([key]) => !NO_FILTERS.includes(key));
  const found = objects.filter((object) => filters.every(([key, value]) => FILTERS[key]?.(object, value) ?? false));
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

/** `key=value` or `key`, as label selectors write equality and existence. */
function hasPair(pairs: Readonly<Record<string, string>> | undefined, text: string): boolean {
  const [key = "", value] = text.split("=", 2);
  const found = pairs?.[key.trim()];
  return value === undefined ? found !== undefined : found === value.trim();
}
