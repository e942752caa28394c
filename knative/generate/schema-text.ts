import type { JsonSchema } from "../../shared/structural.ts";
import { cell } from "./markdown.ts";

/** One field of a schema as a page shows it. */
export interface FieldText {
  readonly name: string;
  readonly type: string;
  readonly required: string;
  readonly default: string;
  readonly meaning: string;
  readonly schema: JsonSchema;
}

/** The fields of an object schema, in its order. */
export function fieldsOf(schema: JsonSchema): readonly FieldText[] {
  const required = new Set((schema.required ?? []) as readonly string[]);
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return properties.map(([name, field]) => ({
    name,
    type: typeName(field),
    required: required.has(name) ? "yes" : "",
    default: cell(field.default),
    meaning: cell(field.description),
    schema: field,
  }));
}

/** The type of a field in a word or two: enumerations by their values, lists by their items. */
function typeName(schema: JsonSchema): string {
  const values = schema.enum as readonly unknown[] | undefined;
  if (values) return values.map((value) => `\`${String(value)}\``).join(" ");
  if (schema.type === "array") return `list of ${typeName((schema.items ?? {}) as JsonSchema)}`;
  if (schema.additionalProperties !== undefined) return "map";
  const type = String(schema.type ?? "any");
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}
