import * as z from "zod";
import type { CustomResourceDefinition, Rule } from "./resource.ts";
import { assertStructural, type JsonSchema } from "./structural.ts";

/** The CustomResourceDefinition object of one of our kinds, ready to be applied. Throws where its schemas are not structural. */
export function toCrd(kind: CustomResourceDefinition): CrdObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${kind.plural}.${kind.group}`, labels: { "app.kubernetes.io/part-of": "openpitrix" } },
    spec: {
      group: kind.group,
      scope: kind.scope,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.singular,
        shortNames: kind.shortNames,
        categories: ["openpitrix"],
      },
      versions: [
        {
          name: kind.version,
          served: true,
          storage: true,
          additionalPrinterColumns: kind.columns,
          subresources: { status: {} },
          schema: { openAPIV3Schema: objectSchema(kind) },
        },
      ],
    },
  };
}

/** What a CustomResourceDefinition consists of, as far as readers of ours need it. */
export interface CrdObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: Readonly<Record<string, unknown>> & { readonly kind: string; readonly plural: string };
    readonly versions: readonly CrdVersion[];
  };
}

interface CrdVersion extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly schema: { readonly openAPIV3Schema: JsonSchema };
}

function objectSchema(kind: CustomResourceDefinition): JsonSchema {
  const schema: JsonSchema = {
    description: kind.summary,
    type: "object",
    properties: {
      apiVersion: { type: "string", description: "Group and version of the kind." },
      kind: { type: "string", description: "Name of the kind." },
      metadata: { type: "object" },
      spec: { description: "What is wanted.", ...toStructural(kind.spec), ...validations(kind, "spec") },
      status: { description: "What is.", ...toStructural(kind.status), ...validations(kind, "status") },
    },
    required: ["spec"],
    ...validations(kind, "object"),
  };
  assertStructural(schema, kind.kind);
  return schema;
}

function validations(kind: CustomResourceDefinition, at: Rule["at"]): JsonSchema {
  const rules = kind.rules.filter((rule) => rule.at === at).map(({ rule, message }) => ({ rule, message }));
  return rules.length === 0 ? {} : { "x-kubernetes-validations": rules };
}

/** The OpenAPI v3 schema of a zod schema in the form that CustomResourceDefinitions take. */
export function toStructural(schema: z.ZodType): JsonSchema {
  const options = { target: "openapi-3.0", io: "input", override: adapt } as const;
  return z.toJSONSchema(schema, options) as JsonSchema;
}

/** Takes out what zod says and structural schemas may not. */
function adapt({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  // Every z.int() carries the bounds of what JavaScript can count; they are not a rule about the field.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // The format says the same, and the pattern would refuse offsets that Kubernetes writes.
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  if (jsonSchema["x-kubernetes-preserve-unknown-fields"] === true) delete jsonSchema.additionalProperties;
  if (jsonSchema["x-kubernetes-int-or-string"] === true) {
    delete jsonSchema.anyOf;
    delete jsonSchema.type;
  }
}
