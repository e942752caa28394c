import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { at, type Json, type JsonObject, listOf, objectOf, textOf } from "./json.ts";
import { builtinKinds, type KindInfo, kindsOfCrd } from "./kinds.ts";
import { unlessOnlyTimes } from "./managed-entries.ts";
import { applyPatch, conflictMessage, trackUpdate } from "./managed-fields.ts";
import { casesOf, definitionOf } from "./testing/vectors.ts";

const text = { type: "string" };
const number = { type: "integer" };
const pair = { type: "object", properties: { x: number, y: number } };
const named = { type: "object", required: ["name"], properties: { name: text, v: text, sub: pair } };
const SPEC: Json = {
  type: "object",
  properties: {
    a: text,
    n: number,
    at: { type: "array", items: text },
    set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    m: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], items: named },
    am: { type: "object", "x-kubernetes-map-type": "atomic", properties: { p: text, q: text } },
    map: { type: "object", additionalProperties: text },
    mm: { type: "object", additionalProperties: pair },
    raw: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    ios: { "x-kubernetes-int-or-string": true },
  },
};

function first<T>(list: readonly T[]): T {
  const [one] = list;
  if (one === undefined) throw new Error("empty list");
  return one;
}

const thing = first(kindsOfCrd(definitionOf(SPEC)));
const deployment = first(builtinKinds().filter((kind) => kind.kind === "Deployment"));
/** The recorded answers come from code that knows schemas only: nothing exists before the first write, and status is a field like others. */
const plain = (kind: KindInfo): KindInfo => ({ ...kind, origin: "crd", subresources: { status: false } });
const KINDS: Readonly<Record<string, KindInfo>> = { crd: plain(thing), dep: plain(deployment) };

function withoutTimes(object: Json): Json {
  const entries = listOf(at(object, "metadata", "managedFields")).map((entry) => {
    const { time: _, ...rest } = objectOf(entry);
    return rest;
  });
  const sorted = entries.sort((a, b) =>
    JSON.stringify([a["operation"], a["manager"]]) < JSON.stringify([b["operation"], b["manager"]]) ? -1 : 1,
  );
  const metadata = { ...objectOf(at(object, "metadata")) };
  const { managedFields: _, ...own } = metadata;
  return { ...objectOf(object), metadata: sorted.length === 0 ? own : { ...own, managedFields: sorted } };
}

/** One step of a recorded sequence: what is live afterwards, or the sentence that refuses it. */
function stepped(
  kind: KindInfo,
  live: Json | undefined,
  [step, index]: readonly [Json, number],
): Json | { readonly error: string } {
  const options = {
    manager: textOf(at(step, "manager")),
    force: at(step, "force") === true,
    time: `2026-01-01T00:00:0${index}Z`,
  };
  const object = at(step, "object") ?? null;
  if (at(step, "op") === "update") return trackUpdate(kind, { before: live, after: object }, options);
  const { object: next, conflicts } = applyPatch(kind, { live: live, applied: object }, options);
  return conflicts.length > 0 && !options.force ? { error: conflictMessage(conflicts) } : next;
}

describe("sequences of writes, as Kubernetes answers", () => {
  const cases = casesOf("apply");
  test.each(cases.map((one, index) => [index, textOf(one["kind"]), one] as const))(
    "case %i (%s)",
    (_index, name, one) => {
      let live: Json | undefined;
      for (const [index, step] of listOf(one["steps"]).entries()) {
        const want = objectOf(listOf(one["want"])[index]);
        const next = stepped(KINDS[name] ?? thing, live, [step, index]);
        if (want["error"] === undefined) {
          live = next;
          expect(withoutTimes(next)).toEqual(withoutTimes(want));
        } else expect(next).toEqual(want);
      }
    },
  );
});

const name = { apiVersion: "example.com/v1", kind: "Thing" };
const TIME = "2026-01-01T00:00:00Z";
const by = (
  manager: string,
  more: JsonObject = {},
): { manager: string; force: boolean; time: string; subresource?: string } => ({
  manager,
  force: false,
  time: TIME,
  ...more,
});
const thingOf = (spec: Json, more: JsonObject = {}): Json => ({
  ...name,
  metadata: { name: "a", namespace: "d" },
  spec,
  ...more,
});

function applied(kind: KindInfo, live: Json | undefined, [object, manager]: readonly [Json, string]): Json {
  const result = applyPatch(kind, { live: live, applied: object }, by(manager));
  expect(result.conflicts).toEqual([]);
  return result.object;
}

const specs = (prefix: string): fc.Arbitrary<JsonObject> =>
  fc.record(
    {
      [`${prefix}Text`]: fc.constantFrom("1", "2"),
      map: fc.dictionary(
        fc.constantFrom("a", "b", "c").map((key) => prefix + key),
        fc.constantFrom("1", "2"),
        { minKeys: 1 },
      ),
      set: fc.uniqueArray(
        fc.constantFrom("a", "b", "c").map((key) => prefix + key),
        { minLength: 1 },
      ),
      m: fc.uniqueArray(
        fc.record({ name: fc.constantFrom("a", "b", "c").map((key) => prefix + key), v: fc.constantFrom("1", "2") }),
        { selector: (item) => item.name, minLength: 1 },
      ),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>;

/** Content without the order of lists, which says who came first. */
function content(object: Json): string {
  const sort = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(sort).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value as JsonObject)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, part]) => [key, sort(part ?? null)]),
    );
  };
  return JSON.stringify(sort(object));
}

describe("laws of server-side apply", () => {
  test("applying twice is applying once, times included", () => {
    fc.assert(
      fc.property(specs("x"), (spec) => {
        const once = applied(thing, undefined, [thingOf(spec), "m"]);
        const twice = applyPatch(
          thing,
          { live: once, applied: thingOf(spec) },
          { ...by("m"), time: "2026-02-02T00:00:00Z" },
        );
        expect(twice).toEqual({ object: once, conflicts: [] });
      }),
    );
  });

  test("managers of disjoint fields may come in any order", () => {
    fc.assert(
      fc.property(specs("x"), specs("y"), (one, other) => {
        const left = applied(thing, applied(thing, undefined, [thingOf(one), "m1"]), [thingOf(other), "m2"]);
        const right = applied(thing, applied(thing, undefined, [thingOf(other), "m2"]), [thingOf(one), "m1"]);
        expect(content(left)).toBe(content(right));
      }),
    );
  });

  test("what a manager no longer applies goes, and nothing else", () => {
    fc.assert(
      fc.property(specs("x"), specs("y"), (one, other) => {
        const both = applied(thing, applied(thing, undefined, [thingOf(one), "m1"]), [thingOf(other), "m2"]);
        const alone = applied(thing, both, [thingOf({}), "m2"]);
        const entries = listOf(at(alone, "metadata", "managedFields")).map((entry) => at(entry, "manager"));
        const expected = applied(thing, undefined, [thingOf(one), "m1"]);
        expect(content(at(alone, "spec") ?? {})).toBe(content(at(expected, "spec") ?? {}));
        expect(entries).toContain(Object.keys(one).length === 0 ? "m2" : "m1");
      }),
    );
  });
});

describe("managedFields", () => {
  test("a conflict leaves the object alone, force takes the field over", () => {
    const live = applied(thing, undefined, [thingOf({ a: "1" }), "m1"]);
    const refused = applyPatch(thing, { live: live, applied: thingOf({ a: "2" }) }, by("m2"));
    expect(refused.object).toBe(live);
    expect(conflictMessage(refused.conflicts)).toBe('Apply failed with 1 conflict: conflict with "m1": .spec.a');
    const forced = applyPatch(thing, { live: live, applied: thingOf({ a: "2" }) }, by("m2", { force: true })).object;
    expect(at(forced, "spec", "a")).toBe("2");
    expect(listOf(at(forced, "metadata", "managedFields")).map((entry) => at(entry, "manager"))).toEqual(["m2"]);
  });

  test("status and the rest are owned apart, each through its own endpoint", () => {
    const kind: KindInfo = { ...thing, subresources: { status: true } };
    const live = applied(kind, undefined, [thingOf({ a: "1" }, { status: { ignored: true } }), "m"]);
    expect(at(live, "status")).toBeUndefined();
    const done = applyPatch(
      kind,
      { live: live, applied: thingOf({ a: "9" }, { status: { ready: true } }) },
      by("m", { subresource: "status" }),
    ).object;
    expect(at(done, "spec", "a")).toBe("1");
    expect(at(done, "status", "ready")).toBe(true);
    expect(listOf(at(done, "metadata", "managedFields")).map((entry) => at(entry, "subresource") ?? "")).toEqual([
      "",
      "status",
    ]);
  });

  test("cleared managedFields stay cleared until an apply, which calls what it finds before-first-apply", () => {
    const live = trackUpdate(thing, { before: undefined, after: thingOf({ a: "1" }) }, by("curl"));
    const cleared = trackUpdate(
      thing,
      { before: live, after: thingOf({ a: "1" }, { metadata: { name: "a", namespace: "d", managedFields: [{}] } }) },
      by("curl"),
    );
    expect(at(cleared, "metadata", "managedFields")).toBeUndefined();
    const updated = trackUpdate(thing, { before: cleared, after: thingOf({ a: "2" }) }, by("curl"));
    expect(at(updated, "metadata", "managedFields")).toBeUndefined();
    const refused = applyPatch(thing, { live: updated, applied: thingOf({ a: "3" }) }, by("m"));
    expect(conflictMessage(refused.conflicts)).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using example.com/v1: .spec.a',
    );
  });

  test("more updaters than ten are joined under ancient-changes", () => {
    let live = trackUpdate(thing, { before: undefined, after: thingOf({ map: { k0: "v" } }) }, by("m0"));
    for (let index = 1; index <= 14; index += 1) {
      const map = { ...objectOf(at(live, "spec", "map")), [`k${index}`]: "v" };
      const options = { ...by(`m${index}`), time: `2026-01-01T00:00:${String(index).padStart(2, "0")}Z` };
      live = trackUpdate(thing, { before: live, after: { ...objectOf(live), spec: { map } } }, options);
    }
    const managers = listOf(at(live, "metadata", "managedFields")).map((entry) => textOf(at(entry, "manager")));
    expect(managers).toHaveLength(10);
    expect(managers).toContain("ancient-changes");
  });

  test("a Deployment that kubectl created and Helm applies keeps both owners apart", () => {
    const metadata = { name: "a", namespace: "d" };
    const template = {
      metadata: { labels: { app: "a" } },
      spec: { containers: [{ name: "c", image: "i:1", ports: [{ containerPort: 80 }] }] },
    };
    const object = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata,
      spec: { replicas: 1, selector: { matchLabels: { app: "a" } }, template },
    };
    const live = trackUpdate(deployment, { before: undefined, after: object }, by("kubectl-create"));
    const helm = applyPatch(
      deployment,
      { live: live, applied: { ...object, spec: { ...object.spec, replicas: 3 } } },
      by("helm"),
    );
    expect(conflictMessage(helm.conflicts)).toBe(
      'Apply failed with 1 conflict: conflict with "kubectl-create" using apps/v1: .spec.replicas',
    );
    const ports = at(
      listOf(at(live, "metadata", "managedFields"))[0],
      "fieldsV1",
      "f:spec",
      "f:template",
      "f:spec",
      "f:containers",
    );
    expect(Object.keys(objectOf(at(ports, 'k:{"name":"c"}', "f:ports")))).toContain(
      'k:{"containerPort":80,"protocol":"TCP"}',
    );
  });

  test("a write that changes nothing but times is none", () => {
    const live = applied(thing, undefined, [thingOf({ a: "1" }), "m"]);
    const later = JSON.parse(JSON.stringify(live).replaceAll(TIME, "2026-03-03T00:00:00Z")) as Json;
    expect(unlessOnlyTimes(live, later)).toBe(live);
    const changed = thingOf({ a: "2" });
    expect(unlessOnlyTimes(live, changed)).toBe(changed);
  });
});
