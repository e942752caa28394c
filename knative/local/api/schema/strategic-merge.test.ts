import { describe, expect, test } from "vitest";
import type { Json } from "./json.ts";
import { builtinKinds, type KindInfo } from "./kinds.ts";
import { strategicMerge } from "./strategic-merge.ts";
import { casesOf } from "./testing/vectors.ts";

function kindOf(name: string): KindInfo {
  const kind = builtinKinds().find((one) => one.kind === name);
  if (kind === undefined) throw new Error(`no built-in kind ${name}`);
  return kind;
}

/** Empty members and directives that the original leaves behind say nothing. */
function settled(value: Json): Json {
  return JSON.parse(JSON.stringify(value));
}

describe("patches of a Deployment, as Kubernetes answers", () => {
  test.each(casesOf("strategic").map((one, index) => [index, one] as const))("case %i", (_index, one) => {
    const merged = strategicMerge(kindOf("Deployment"), one["original"] ?? null, one["patch"] ?? null);
    expect(settled(merged)).toEqual(one["want"]);
  });
});

describe("lists", () => {
  const ports = (list: readonly Json[]): Json => ({ spec: { ports: list } });

  test("merge by the schema's merge key, a Service's ports by port", () => {
    const service = kindOf("Service");
    const before = ports([
      { port: 80, name: "web" },
      { port: 443, name: "tls" },
    ]);
    expect(strategicMerge(service, before, ports([{ port: 443, targetPort: 8443 }]))).toEqual(
      ports([
        { port: 80, name: "web" },
        { port: 443, name: "tls", targetPort: 8443 },
      ]),
    );
    expect(strategicMerge(service, before, ports([{ port: 80, $patch: "delete" }]))).toEqual(
      ports([{ port: 443, name: "tls" }]),
    );
    expect(strategicMerge(service, before, ports([{ $patch: "replace" }, { port: 1 }]))).toEqual(ports([{ port: 1 }]));
  });

  test("without a schema a list is replaced and null removes", () => {
    const { schema: _, ...rest } = kindOf("Service");
    const unknown: KindInfo = { ...rest, schema: undefined };
    expect(strategicMerge(unknown, { a: [1], b: { c: 1, d: 2 } }, { a: [2], b: { c: null } })).toEqual({
      a: [2],
      b: { d: 2 },
    });
  });

  test("a member called __proto__ is data", () => {
    const patch = JSON.parse('{"data":{"__proto__":"x"}}') as Json;
    const merged = strategicMerge(kindOf("ConfigMap"), { data: { a: "b" } }, patch);
    expect(JSON.stringify(merged)).toBe('{"data":{"a":"b","__proto__":"x"}}');
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });
});
