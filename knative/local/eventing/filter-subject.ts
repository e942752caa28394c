import { EVENT_SUBJECTS } from "../../../shared/adapters/nats-streams.ts";
import { subjectOfType } from "../../../shared/adapters/nats-subjects.ts";
import type { Filter, TriggerFilter } from "./filter.ts";

/** What a Trigger's filter says about the event type: one type, all types that begin so, or nothing. */
export type TypeFilter =
  | { readonly kind: "exact"; readonly type: string }
  | { readonly kind: "prefix"; readonly prefix: string }
  | { readonly kind: "any" };

/** The narrowest statement about the type that must hold for every event the filter passes. */
export function typeFilterOf({ filter, filters }: TriggerFilter): TypeFilter {
  if (filters && filters.length > 0) return narrowest(filters.map(typeFilter));
  return exactly(filter?.attributes);
}

/** The one NATS subject filter that holds every event of that type filter: a subject, or a prefix that ends in `.>`. */
export function subjectFilter(filter: TypeFilter): string {
  if (filter.kind === "exact") return subjectOfType(filter.type);
  // Subjects match whole tokens, so an unfinished last token is left to the filter itself.
  const prefix = filter.kind === "prefix" ? filter.prefix.split(".").slice(0, -1).join(".") : "";
  return prefix === "" ? `${EVENT_SUBJECTS}.>` : `${subjectOfType(prefix)}.>`;
}

function typeFilter(filter: Filter): TypeFilter {
  if (filter.all) return narrowest(filter.all.map(typeFilter));
  if (filter.prefix?.["type"]) return { kind: "prefix", prefix: filter.prefix["type"] };
  return exactly(filter.exact);
}

function exactly(attributes: Readonly<Record<string, string>> | undefined): TypeFilter {
  const type = attributes?.["type"];
  return type ? { kind: "exact", type } : { kind: "any" };
}

function narrowest(filters: readonly TypeFilter[]): TypeFilter {
  const exact = filters.find((filter) => filter.kind === "exact");
  const prefixes = filters.filter((filter) => filter.kind === "prefix");
  const [longest] = prefixes.sort((a, b) => b.prefix.length - a.prefix.length);
  return exact ?? longest ?? { kind: "any" };
}
