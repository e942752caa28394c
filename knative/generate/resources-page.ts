import { toStructural } from "../../shared/crd.ts";
import { type CustomResourceDefinition, GROUP } from "../../shared/resource.ts";
import type { JsonSchema } from "../../shared/structural.ts";
import { cell, table } from "./markdown.ts";
import { fieldsOf } from "./schema-text.ts";

/** The kinds as a Markdown page: columns, rules and every field of spec and status. */
export function resourcesPage(kinds: readonly CustomResourceDefinition[]): string {
  return [
    "# Resources",
    `Group \`${GROUP}\`, version \`v1alpha1\`; \`kubectl get openpitrix -A\` lists all of them.`,
    ...kinds.map(section),
  ].join("\n\n");
}

function section(kind: CustomResourceDefinition): string {
  const names = [kind.plural, ...kind.shortNames].map((name) => `\`${name}\``).join(", ");
  return [
    `## ${kind.kind}`,
    `${kind.summary} ${kind.scope} scope; ${names}.`,
    ...rules(kind),
    table(
      ["field", "type", "required", "default", "meaning"],
      [...rows("spec", toStructural(kind.spec)), ...rows("status", toStructural(kind.status))],
    ),
  ].join("\n\n");
}

function rules({ rules: all }: CustomResourceDefinition): readonly string[] {
  if (all.length === 0) return [];
  return [
    table(
      ["rule on", "a writer who breaks it reads"],
      all.map(({ at, message }) => [at, cell(message)]),
    ),
  ];
}

/** One row per field, nested fields by their path. */
function rows(path: string, schema: JsonSchema): readonly (readonly string[])[] {
  return fieldsOf(schema).flatMap((field) => {
    const own = `${path}.${field.name}`;
    const isList = field.schema.type === "array";
    const inner = isList ? ((field.schema.items ?? {}) as JsonSchema) : field.schema;
    const row = [`\`${own}\``, field.type, field.required, field.default, field.meaning];
    return [row, ...rows(isList ? `${own}[]` : own, inner)];
  });
}
