import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { compileCesql } from "../../knative/local/eventing/cesql/cesql.ts";
import type { Result } from "../../knative/local/eventing/cesql/value.ts";
import { attributeOf } from "../../knative/local/eventing/event-attribute.ts";
import { eventOf } from "../../shared/adapters/cloudevents-attributes.ts";
import { parseYaml } from "../../shared/adapters/yaml.ts";

/** The test kit of CloudEvents SQL v1, beside the checkout. */
const ROOT = fileURLToPath(new URL("../../../shared/data/cesql-tck", import.meta.url));

const haveKit = existsSync(ROOT);
if (!haveKit) console.log(`no CESQL test kit at ${ROOT}: its cases are left out`);

const Attributes = z.record(z.string(), z.unknown());
const Kit = z.object({
  name: z.string(),
  tests: z.array(
    z.strictObject({
      name: z.coerce.string(),
      // YAML reads `TRUE` and `1` as values.
      expression: z.coerce.string(),
      result: z.union([z.boolean(), z.number(), z.string()]).optional(),
      error: z.enum(["parse", "math", "cast", "missingAttribute", "missingFunction", "functionEvaluation"]).optional(),
      event: Attributes.optional(),
      eventOverrides: Attributes.optional(),
    }),
  ),
});
type Case = z.output<typeof Kit>["tests"][number];

/** Cases that we answer otherwise on purpose, with our answer and the reason. */
const DEVIATIONS: Readonly<Record<string, { readonly ours: Result; readonly reason: string }>> = {
  "NOT 10": {
    ours: { value: false },
    reason:
      "CESQL v1 casts integers to booleans (BOOL(100) is true in the same kit), and the Go library that Knative filters with changed its copy of this case accordingly",
  },
};

const FULL = {
  specversion: "1.0",
  id: "full",
  source: "https://localhost/source",
  type: "full.type",
  subject: "full subject",
  time: "2020-03-21T12:34:56Z",
  datacontenttype: "text/plain",
  dataschema: "https://localhost/schema",
};

function cases(): readonly (readonly [name: string, test: Case])[] {
  if (!haveKit) return [];
  return readdirSync(ROOT)
    .sort()
    .flatMap((file) => {
      const { name, tests } = Kit.parse(parseYaml(readFileSync(join(ROOT, file), "utf8")));
      return tests.map((each) => [`${name}: ${each.name}: ${each.expression}`, each] as const);
    });
}

function answer({ expression, event = FULL, eventOverrides = {} }: Case): Result {
  const given = eventOf({ ...event, ...eventOverrides }, undefined);
  const compiled = compileCesql(expression);
  return compiled.ok ? compiled.evaluate((name) => attributeOf(given, name)) : { value: false, error: compiled.error };
}

describe.skipIf(!haveKit)("the CESQL test kit", () => {
  const all = cases();

  test("all its cases are there", () => {
    expect(all.length).toBeGreaterThanOrEqual(200);
    const known = new Set(all.map(([, { expression }]) => expression));
    expect(Object.keys(DEVIATIONS).filter((expression) => !known.has(expression))).toEqual([]);
  });

  test.each(all)("%s", (_, each) => {
    const deviation = DEVIATIONS[each.expression];
    if (deviation) return expect(answer(each), deviation.reason).toEqual(deviation.ours);
    const { value, error } = answer(each);
    expect(error?.kind, error?.message).toBe(each.error);
    if (each.result !== undefined) expect(value).toBe(each.result);
  });
});
