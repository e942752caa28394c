import { isZero } from "./defaults.ts";
import { formatCheck } from "./formats.ts";
import { isList, type Json, type JsonObject } from "./json.ts";
import type { KindInfo } from "./kinds.ts";
import { isIntOrString, keepsUnknown, resolve, type Schema } from "./schema.ts";
import { typeName, valueErrors } from "./value-checks.ts";

const MAX_DEPTH = 64;

/** Keywords that say nothing about which values are allowed, or whose meaning is checked here. */
const HARMLESS = new Set([
  "$ref",
  "type",
  "title",
  "description",
  "default",
  "nullable",
  "properties",
  "additionalProperties",
  "required",
  "items",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
  "x-kubernetes-patch-merge-key",
  "x-kubernetes-patch-strategy",
  "x-kubernetes-group-version-kind",
  "x-kubernetes-validations",
  "format",
]);

/** What a schema node asks for, worked out once: looking it up for every value takes longer than comparing. */
interface Plan {
  readonly node: Schema;
  /** Built-in schemas keep what they do not describe, and their zero values are no defaults. */
  readonly builtin: boolean;
  /** False where the node says more than is understood here. */
  readonly plain: boolean;
  /** What texts are checked for. */
  readonly hasFormat: ((text: string) => boolean) | undefined;
  readonly required: readonly string[];
  readonly defaulted: readonly string[];
  /** What was worked out of the nodes below so far. */
  readonly members: Map<string, Plan>;
  readonly keepsUnknown: boolean;
}

/** One look at an object; `settled` asks as well whether no default is missing and nothing unknown is in it. */
interface Look {
  readonly settled: boolean;
  depth: number;
}

/**
 * True when valueErrors would find nothing; false says only that it has to look. Most objects are valid, and finding that
 * out without preparing texts of errors costs a fraction.
 */
export function surelyValid(kind: KindInfo, object: Json): boolean {
  return looksRight(kind, object, false);
}

/** True when pruning and the schema's defaults would change nothing; false says only that they have to be tried. */
export function surelySettled(kind: KindInfo, object: Json): boolean {
  return looksRight(kind, object, true);
}

function looksRight({ schema, origin }: KindInfo, object: Json, settled: boolean): boolean {
  return schema !== undefined && fits({ settled, depth: 0 }, planOf(schema, origin === "builtin"), object);
}

const plans = new WeakMap<Schema, Plan>();

function planOf(schema: Schema, builtin: boolean): Plan {
  const known = plans.get(schema);
  if (known !== undefined) return known;
  // The metadata of custom objects is as built-in as that of others.
  const made = makePlan(resolve(schema), builtin || schema.$ref !== undefined);
  plans.set(schema, made);
  return made;
}

function makePlan(node: Schema, builtin: boolean): Plan {
  const defaulted = Object.entries(node.properties ?? {}).filter(([, raw]) => {
    const fallback = resolve(raw).default;
    return fallback !== undefined && !(builtin && isZero(fallback));
  });
  return {
    node,
    builtin,
    plain: !isIntOrString(node) && Object.keys(node).every((keyword) => HARMLESS.has(keyword)),
    hasFormat: node.format === undefined ? undefined : formatCheck(node.format),
    required: node.required ?? [],
    defaulted: defaulted.map(([key]) => key),
    members: new Map(),
    keepsUnknown: keepsUnknown(node),
  };
}

function fits(look: Look, plan: Plan, value: Json): boolean {
  if (value === null || look.depth > MAX_DEPTH) return false;
  if (typeof value !== "object") return scalarFits(plan, value);
  if (!plan.plain) return false;
  look.depth += 1;
  const right = isList(value) ? listFits(look, plan, value) : objectFits(look, plan, value);
  look.depth -= 1;
  return right;
}

function scalarFits({ node, plain, hasFormat }: Plan, value: string | number | boolean): boolean {
  if (!plain) return valueErrors(node, value, { path: "", lenient: false, depth: 0 }).length === 0;
  const actual = typeName(value);
  if (node.type !== undefined && node.type !== actual) return node.type === "number" && actual === "integer";
  return hasFormat === undefined || typeof value !== "string" || hasFormat(value);
}

function listFits(look: Look, plan: Plan, value: readonly Json[]): boolean {
  const { node, builtin } = plan;
  if (!isOf(node, "array")) return false;
  if (node.items === undefined) return true;
  const items = planOf(node.items, builtin);
  return value.every((one) => fits(look, items, one));
}

function objectFits(look: Look, plan: Plan, value: JsonObject): boolean {
  if (!isOf(plan.node, "object") || lacksMembers(look, plan, value)) return false;
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    const known = memberPlan(plan, key);
    if (known === undefined ? !staysUnknown(look, plan) : !fits(look, known, member)) return false;
  }
  return true;
}

function isOf({ type }: Schema, wanted: string): boolean {
  return type === undefined || type === wanted;
}

function lacksMembers({ settled }: Look, { required, defaulted }: Plan, value: JsonObject): boolean {
  const isMissing = (key: string): boolean => !Object.hasOwn(value, key) || value[key] === undefined;
  return required.some(isMissing) || (settled && defaulted.some(isMissing));
}

function staysUnknown({ settled }: Look, { node, builtin, keepsUnknown }: Plan): boolean {
  return settled ? builtin && keepsUnknown : node.additionalProperties !== false;
}

function memberPlan({ node, builtin, members }: Plan, key: string): Plan | undefined {
  const known = members.get(key);
  if (known !== undefined) return known;
  const declared = node.properties !== undefined && Object.hasOwn(node.properties, key);
  const schema = declared ? node.properties?.[key] : node.additionalProperties;
  if (typeof schema !== "object") return undefined;
  const plan = planOf(schema, builtin);
  // The names in maps are endless.
  if (declared) members.set(key, plan);
  return plan;
}
