import { Optional } from "@marcbachmann/cel-js";
import { FOUND, ruleEnvironment } from "./cel-library.ts";
import { PRESENCE } from "./cel-presence.ts";
import { loops, renameCalls, withoutTexts } from "./cel-source.ts";
import { celValue } from "./cel-values.ts";
import { child, forbidden, invalid, required } from "./field-errors.ts";
import { elementOf } from "./field-walk.ts";
import { entriesOf, equal, isList, isObject, type Json, listOf } from "./json.ts";
import { itemOf, mapKeysOf, memberOf, propertyOf, resolve, type Schema, type ValidationRule } from "./schema.ts";
import type { FieldError } from "./validate.ts";

type Program = (context: Readonly<Record<string, unknown>>) => unknown;
type Compiled = { readonly program: Program; readonly type: string } | { readonly error: string };

/** What the library does in another way than Kubernetes is called by names of our own. */
const OWN_NAMES: ReadonlyMap<string, string> = new Map([
  ["has", PRESENCE],
  ["matches", FOUND],
]);

const MAX_CACHED = 5_000;
const MAX_MESSAGE_BYTES = 5_120;
const cache = new Map<string, Compiled>();
let environment: ReturnType<typeof ruleEnvironment> | undefined;

/** A rule ready to run, or why it cannot run; compiled once. */
export function compileRule(source: string): Compiled {
  const known = cache.get(source);
  if (known !== undefined) return known;
  if (cache.size >= MAX_CACHED) cache.clear();
  const compiled = compile(source);
  cache.set(source, compiled);
  return compiled;
}

function compile(source: string): Compiled {
  environment ??= ruleEnvironment();
  try {
    const program = environment.parse(renameCalls(source, OWN_NAMES));
    const { valid, error, type } = program.check();
    return valid ? { program, type: type ?? "dyn" } : { error: firstLine(error) };
  } catch (error) {
    return { error: firstLine(error) };
  }
}

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
}

/** The library's complaint in the words of the API server. */
function problemOf(error: unknown): string {
  const text = firstLine(error);
  const index = /index out of bounds, index (-?\d+)/.exec(text)?.[1];
  return index === undefined ? text.replace(/^No such key:/, "no such key:") : `index out of bounds: ${index}`;
}

/** True when a rule compares with the stored value. */
export function usesOldSelf(rule: string): boolean {
  return /\boldSelf\b/.test(withoutTexts(rule));
}

/** What the rules of a schema (x-kubernetes-validations) find wrong with a value; `old` is the stored value in the same place. */
export function ruleErrors(schema: Schema | undefined, place: Place): readonly FieldError[] {
  if (schema === undefined || place.value === null) return [];
  const node = resolve(schema);
  if (!hasRules(node)) return [];
  const at = { node, place, sides: sidesOf(node, place) };
  const own = (node["x-kubernetes-validations"] ?? []).flatMap((rule) => oneRule(at, rule));
  return [...own, ...placesBelow(node, place).flatMap(([below, next]) => ruleErrors(below, next))];
}

/** A value, the stored value in its place (undefined on create), and its path. */
export interface Place {
  readonly value: Json;
  readonly old: Json | undefined;
  readonly path: string;
}

type Noted = WeakMap<Schema, boolean>;

const withRules: Noted = new WeakMap();
const withLoops: Noted = new WeakMap();

/** Whether a node or one below it has rules; cycles count as having none. */
export function hasRules(schema: Schema | undefined): boolean {
  return someRule(schema, withRules, () => true);
}

/** Whether a node or one below it has rules whose cost depends on how much is in a list or map. */
export function hasLoops(schema: Schema | undefined): boolean {
  return someRule(schema, withLoops, ({ rule, messageExpression = "" }) => loops(rule) || loops(messageExpression));
}

function someRule(schema: Schema | undefined, noted: Noted, wanted: (rule: ValidationRule) => boolean): boolean {
  if (schema === undefined) return false;
  const node = resolve(schema);
  const known = noted.get(node);
  if (known !== undefined) return known;
  noted.set(node, false);
  const values = typeof node.additionalProperties === "object" ? [node.additionalProperties] : [];
  const below = [...Object.values(node.properties ?? {}), ...values, ...(node.items === undefined ? [] : [node.items])];
  const own = (node["x-kubernetes-validations"] ?? []).some(wanted);
  const found = own || below.some((one) => someRule(one, noted, wanted));
  noted.set(node, found);
  return found;
}

function placesBelow(node: Schema, { value, old, path }: Place): readonly (readonly [Schema | undefined, Place])[] {
  if (isObject(value)) {
    return entriesOf(value).map(([key, member]) => {
      const at = propertyOf(node, key) === undefined ? `${path}[${key}]` : child(path, key);
      return [memberOf(node, key), { value: member, old: isObject(old) ? old[key] : undefined, path: at }] as const;
    });
  }
  const keys = mapKeysOf(node);
  const before = new Map(
    keys.length === 0 ? [] : listOf(old).map((item) => [elementOf(node, keys, item), item] as const),
  );
  return (isList(value) ? value : []).map((item, index) => {
    return [
      itemOf(node),
      { value: item, old: before.get(elementOf(node, keys, item)), path: `${path}[${index}]` },
    ] as const;
  });
}

interface NodePlace {
  readonly node: Schema;
  readonly place: Place;
  readonly sides: Sides;
}

/** What rules compare; built only when a rule of the node is to run. */
type Sides = () => { readonly self: unknown; readonly oldSelf: unknown };

function sidesOf(node: Schema, place: Place): Sides {
  let made: ReturnType<Sides> | undefined;
  return () => {
    made ??= {
      self: celValue(node, place.value),
      oldSelf: place.old === undefined ? undefined : celValue(node, place.old),
    };
    return made;
  };
}

function oneRule({ node, place, sides }: NodePlace, rule: ValidationRule): readonly FieldError[] {
  const transition = usesOldSelf(rule.rule);
  const optional = rule.optionalOldSelf === true;
  if (transition ? place.old === undefined && !optional : equal(place.value, place.old)) return [];
  const compiled = compileRule(rule.rule);
  const shown = node.type ?? "";
  if ("error" in compiled) return [invalid(place.path, shown, `rule compile error: ${compiled.error}`)];
  const { self, oldSelf } = sides();
  const context = { self, oldSelf: optional ? optionalOf(oldSelf) : oldSelf };
  try {
    if (compiled.program(context) === true) return [];
  } catch (error) {
    return [
      invalid(place.path, shown, `${problemOf(error)} evaluating rule: ${rule.message?.trim() || rule.rule.trim()}`),
    ];
  }
  return [failure(rule, { path: place.path, shown, message: messageOf(rule, context) })];
}

function optionalOf(value: unknown): unknown {
  return value === undefined ? Optional.none() : Optional.of(value);
}

function messageOf(rule: ValidationRule, context: Readonly<Record<string, unknown>>): string {
  const fallback = rule.message?.trim() || `failed rule: ${rule.rule.trim()}`;
  const compiled = rule.messageExpression === undefined ? undefined : compileRule(rule.messageExpression);
  if (compiled === undefined || "error" in compiled) return fallback;
  try {
    const text = compiled.program(context);
    const trimmed = typeof text === "string" ? text.trim() : "";
    const usable = trimmed !== "" && !trimmed.includes("\n") && Buffer.byteLength(trimmed) <= MAX_MESSAGE_BYTES;
    return usable ? trimmed : fallback;
  } catch {
    return fallback;
  }
}

interface Failure {
  readonly path: string;
  readonly shown: string;
  readonly message: string;
}

function failure(rule: ValidationRule, { path, shown, message }: Failure): FieldError {
  const field = rule.fieldPath === undefined ? path : `${path}${rule.fieldPath}`.replace(/^\./, "");
  if (rule.reason === "FieldValueForbidden") return forbidden(field, message);
  if (rule.reason === "FieldValueRequired") return required(field, message);
  if (rule.reason !== "FieldValueDuplicate") return invalid(field, shown, message);
  return { field, reason: "FieldValueDuplicate", message: `Duplicate value: ${JSON.stringify(shown)}` };
}
