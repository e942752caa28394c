import { builtinDefinition } from "./builtin-data.ts";
import type { Json } from "./json.ts";

/** One CEL rule of a schema node (x-kubernetes-validations). */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** A node of an OpenAPI v3 schema with Kubernetes' extensions; `$ref` is the bare name of a built-in definition. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: Json;
  readonly nullable?: boolean;
  readonly enum?: readonly Json[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-patch-merge-key"?: string;
  readonly "x-kubernetes-patch-strategy"?: string;
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
}

/** The name of the definition that every object's metadata follows. */
export const OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

const resolved = new WeakMap<Schema, Schema>();

/** The node itself, or what its reference points at with the node's own members laid over it. */
export function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const known = resolved.get(schema);
  if (known !== undefined) return known;
  const { $ref, ...own } = schema;
  const target = builtinDefinition($ref) ?? {};
  const merged = Object.keys(own).length === 0 ? target : { ...target, ...own };
  resolved.set(schema, merged);
  return merged;
}

/** The schema of a named property that is declared, resolved. */
export function propertyOf(schema: Schema | undefined, name: string): Schema | undefined {
  const properties = schema?.properties;
  if (properties === undefined || !Object.hasOwn(properties, name)) return undefined;
  const found = properties[name];
  return found === undefined ? undefined : resolve(found);
}

/** The schema of the values of a map, resolved. */
export function valuesOf(schema: Schema | undefined): Schema | undefined {
  const values = schema?.additionalProperties;
  return typeof values === "object" ? resolve(values) : undefined;
}

/** The schema of a member, declared or map value, resolved; undefined when nothing is known about it. */
export function memberOf(schema: Schema | undefined, name: string): Schema | undefined {
  return propertyOf(schema, name) ?? valuesOf(schema);
}

/** The schema of a list's items, resolved. */
export function itemOf(schema: Schema | undefined): Schema | undefined {
  return schema?.items === undefined ? undefined : resolve(schema.items);
}

/** True for nodes that take an integer or a text. */
export function isIntOrString(schema: Schema): boolean {
  return schema["x-kubernetes-int-or-string"] === true || schema.format === "int-or-string";
}

/** True when members beyond the declared ones are kept. */
export function keepsUnknown(schema: Schema): boolean {
  if (schema["x-kubernetes-preserve-unknown-fields"] === true || schema.additionalProperties === true) return true;
  return schema.properties === undefined && schema.additionalProperties === undefined;
}

/** The keys by which items of a list are told apart, or [] when the list is no map list. */
export function mapKeysOf(schema: Schema | undefined): readonly string[] {
  return schema?.["x-kubernetes-list-type"] === "map" ? (schema["x-kubernetes-list-map-keys"] ?? []) : [];
}
