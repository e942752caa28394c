import type { Event, ExtensionValue } from "../../../shared/event.ts";

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

/** Compiles one filter; throws where it uses no dialect, several at once, or one that is not supported here. */
export function compileFilter(filter: Filter): Predicate {
  const used = DIALECTS.filter((dialect) => filter[dialect] !== undefined);
  if (used.length !== 1)
    throw new Error(`a filter needs exactly one dialect, this one has ${used.join(", ") || "none"}`);
  if (filter.cesql !== undefined) {
    throw new Error("filter dialect cesql is not supported here; say it with exact, prefix, suffix, all, any and not");
  }
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

function every(predicates: readonly Predicate[]): Predicate {
  return (event) => predicates.every((predicate) => predicate(event));
}

function some(predicates: readonly Predicate[]): Predicate {
  return (event) => predicates.some((predicate) => predicate(event));
}

function negate(predicate: Predicate): Predicate {
  return (event) => !predicate(event);
}

const ALIASES: Readonly<Record<string, string>> = { schemaurl: "dataschema", datamediatype: "datacontenttype" };
const NO_ATTRIBUTES = new Set(["data", "extensions"]);

/** The context attribute of that name, our own optional ones and foreign extensions alike. */
export function attributeOf(event: Event, name: string): ExtensionValue | undefined {
  if (NO_ATTRIBUTES.has(name)) return undefined;
  const key = ALIASES[name] ?? name;
  const own = Object.entries(event).find(([each]) => each === key)?.[1];
  return isExtensionValue(own) ? own : event.extensions?.[key];
}

function isExtensionValue(value: unknown): value is ExtensionValue {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
