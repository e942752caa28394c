/** A JSON Schema node as plain data. */
export interface JsonSchema {
  [keyword: string]: unknown;
}

/** Keywords that an API server takes in a structural schema; `default`, `enum` and `example` hold data, not schemas. */
const KEYWORDS = new Set([
  "additionalProperties",
  "default",
  "description",
  "enum",
  "example",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "items",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "multipleOf",
  "nullable",
  "pattern",
  "properties",
  "required",
  "title",
  "type",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-validations",
]);

const TYPES = new Set(["array", "boolean", "integer", "number", "object", "string"]);

/** Says what is wrong with one node, not looking at its children; `undefined` when nothing is. */
type Check = (schema: JsonSchema) => string | undefined;

const CHECKS: readonly Check[] = [
  (schema) => {
    const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword));
    return unknown === undefined ? undefined : `keyword ${unknown} is not allowed in a structural schema`;
  },
  ({ type, ...schema }) => {
    if (typeof type === "string" && TYPES.has(type)) return undefined;
    if (type === undefined && schema["x-kubernetes-int-or-string"] === true) return undefined;
    if (type === undefined && schema["x-kubernetes-preserve-unknown-fields"] === true) return undefined;
    return `type is ${JSON.stringify(type)}, but every node needs one of ${[...TYPES].join(", ")}`;
  },
  ({ type, items }) => (type === "array" && !isSchema(items) ? "an array needs the schema of its items" : undefined),
  ({ properties, additionalProperties }) =>
    properties !== undefined && additionalProperties !== undefined
      ? "properties and additionalProperties exclude each other"
      : undefined,
  ({ additionalProperties }) =>
    additionalProperties !== undefined && !isSchema(additionalProperties)
      ? "additionalProperties has to be a schema; unknown fields are pruned anyway"
      : undefined,
  ({ pattern }) =>
    typeof pattern === "string" && /\(\?(?:[=!]|<[=!])/.test(pattern)
      ? `pattern ${pattern} looks around, which the API server's regular expressions cannot`
      : undefined,
  (schema) => {
    if (schema["x-kubernetes-list-type"] !== "map") return undefined;
    const keys = arrayOf(schema["x-kubernetes-list-map-keys"]);
    const required = isSchema(schema.items) ? arrayOf(schema.items.required) : [];
    const missing = keys.find((key) => !required.includes(key));
    if (keys.length === 0) return "a list of type map needs x-kubernetes-list-map-keys";
    return missing === undefined ? undefined : `list map key ${String(missing)} has to be required in the items`;
  },
];

/** Refuses a schema that an API server would not take in a CustomResourceDefinition; the error names the path. */
export function assertStructural(schema: JsonSchema, path: string): void {
  for (const check of CHECKS) {
    const problem = check(schema);
    if (problem !== undefined) throw new Error(`${path}: ${problem}`);
  }
  for (const [name, child] of children(schema)) assertStructural(child, `${path}${name}`);
}

/** The schemas one level below, each with its part of the path. */
function children(schema: JsonSchema): [string, JsonSchema][] {
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  const all: [string, unknown][] = [
    ...properties.map(([name, child]): [string, unknown] => [`.${name}`, child]),
    ["[]", schema.items],
    ["{}", schema.additionalProperties],
  ];
  return all.filter((pair): pair is [string, JsonSchema] => isSchema(pair[1]));
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
