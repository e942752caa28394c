import type { Event } from "../../../shared/event.ts";
import { compileCesql, isTruthy } from "./cesql/cesql.ts";
import { attributeOf } from "./event-attribute.ts";

/** One filter of a Trigger: exactly one dialect per object, as Knative's webhook demands. */
export interface Filter {
  readonly exact?: Readonly<Record<string, string>> | undefined;
  readonly prefix?: Readonly<Record<string, string>> | undefined;
  readonly suffix?: Readonly<Record<string, string>> | undefined;
  readonly all?: readonly Filter[] | undefined;
  readonly any?: readonly Filter[] | undefined;
  readonly not?: Filter | undefined;
  readonly cesql?: string | undefined;
}

/** The part of a Trigger's spec that selects events. */
export interface TriggerFilter {
  readonly filter?: { readonly attributes?: Readonly<Record<string, string>> | undefined } | undefined;
  readonly filters?: readonly Filter[] | undefined;
}

/** Whether an event passes. */
export type Predicate = (event: Event) => boolean;

const DIALECTS = ["exact", "prefix", "suffix", "all", "any", "not", "cesql"] as const;

/** Compiles a Trigger's filter by Knative's rules: a non-empty `filters` list overrides `filter`; nothing at all passes everything. */
export function compileTriggerFilter({ filter, filters }: TriggerFilter): Predicate {
  if (filters && filters.length > 0) return every(filters.map(compileFilter));
  return every(Object.entries(filter?.attributes ?? {}).map(([name, value]) => attributeFilter(name, value)));
}

/** Compiles one filter; throws where it uses no dialect or several at once, or where its CESQL cannot be parsed. */
export function compileFilter(filter: Filter): Predicate {
  const used = DIALECTS.filter((dialect) => filter[dialect] !== undefined);
  if (used.length !== 1)
    throw new Error(`a filter needs exactly one dialect, this one has ${used.join(", ") || "none"}`);
  if (filter.cesql !== undefined) return cesqlFilter(filter.cesql);
  if (filter.all) return every(filter.all.map(compileFilter));
  if (filter.any) return some(filter.any.map(compileFilter));
  if (filter.not) return negate(compileFilter(filter.not));
  return compileMatch(filter);
}

function compileMatch({ exact, prefix, suffix }: Filter): Predicate {
  if (exact) return pairs(exact, (value, wanted) => value === wanted);
  if (prefix) return pairs(prefix, (value, wanted) => value.startsWith(wanted));
  return pairs(suffix ?? {}, (value, wanted) => value.endsWith(wanted));
}

/** Pairs with an empty value are skipped, as Knative skips what does not materialise. */
function pairs(wanted: Readonly<Record<string, string>>, test: (value: string, wanted: string) => boolean): Predicate {
  const checks = Object.entries(wanted).filter(([, value]) => value !== "");
  return (event) =>
    checks.every(([name, value]) => {
      const found = attributeOf(event, name);
      return found !== undefined && test(String(found), value);
    });
}

/** `spec.filter.attributes` compares with the typed value: a number never equals text, and empty text asks for presence. */
function attributeFilter(name: string, wanted: string): Predicate {
  return (event) => {
    const found = attributeOf(event, name);
    return wanted === "" ? found !== undefined && found !== "" : found === wanted;
  };
}

/** An expression that cannot be evaluated, mostly for a missing attribute, lets nothing pass; an empty one everything. */
function cesqlFilter(text: string): Predicate {
  if (text === "") return () => true;
  const compiled = compileCesql(text);
  if (!compiled.ok) throw new Error(`cesql "${text}": ${compiled.error.message}`);
  return (event) => isTruthy(compiled.evaluate((name) => attributeOf(event, name)));
}

function every(predicates: readonly Predicate[]): Predicate {
  return (event) => predicates.every((predicate) => predicate(event));
}

function some(predicates: readonly Predicate[]): Predicate {
  return (event) => predicates.some((predicate) => predicate(event));
}

function negate(predicate: Predicate): Predicate {
  return (event) => !predicate(event);
}
