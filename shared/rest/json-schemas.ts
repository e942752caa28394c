import * as z from "zod";

/** Schemas as JSON Schema 2020-12, which is what OpenAPI 3.1 speaks; each stands for itself. */
export function jsonSchemas(schemas: Readonly<Record<string, z.ZodType>>, io: "input" | "output") {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
      return [name, rest];
    }),
  );
}
