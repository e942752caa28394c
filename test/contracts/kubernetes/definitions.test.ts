import { describe, expect, test } from "vitest";
import { eventually, expectCode, expectStatus, type Loose } from "./client.ts";
import { define, definition, useCluster } from "./fixture.ts";

const fixture = useCluster();
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const text = { type: "string" };
const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };

const conditionOf = (body: Loose, type: string): Loose =>
  (body.status?.conditions ?? []).find((one: Loose) => one.type === type);

describe("definitions", () => {
  test("become established, with names and stored versions", async () => {
    const wanted = definition();
    const { body: created } = expectCode(await fixture.client.post(definitions, wanted), 201);
    expect(created.spec.names).toMatchObject({
      singular: wanted.spec.names.kind.toLowerCase(),
      listKind: `${wanted.spec.names.kind}List`,
    });
    expect(created.spec.conversion).toEqual({ strategy: "None" });
    const path = `${definitions}/${wanted.metadata.name}`;
    const { body } = await eventually(
      () => fixture.client.get(path),
      (reply) => conditionOf(reply.body, "Established")?.status === "True",
    );
    expect(conditionOf(body, "NamesAccepted")).toMatchObject({ status: "True", reason: "NoConflicts" });
    expect(body.status.storedVersions).toEqual(["v1"]);
    expect(body.status.acceptedNames).toMatchObject({ kind: wanted.spec.names.kind, plural: wanted.spec.names.plural });
  });

  test("whose name is not plural and group are refused", async () => {
    const wanted = definition();
    wanted.metadata.name = "other.example.io";
    expectStatus(await fixture.client.post(definitions, wanted), 422, "Invalid");
  });

  test("without a schema are refused", async () => {
    const wanted = definition();
    delete wanted.spec.versions[0].schema;
    expectStatus(await fixture.client.post(definitions, wanted), 422, "Invalid");
  });

  test("without exactly one storage version are refused", async () => {
    const wanted = definition();
    wanted.spec.versions[0].storage = false;
    const status = expectStatus(await fixture.client.post(definitions, wanted), 422, "Invalid");
    expect(status.message).toContain("exactly one version");
  });

  test("with a schema that is not structural are refused", async () => {
    const wanted = definition({ spec: { loose: { properties: { a: text } } } });
    expectStatus(await fixture.client.post(definitions, wanted), 422, "Invalid");
  });

  test("with a rule that does not compile are refused", async () => {
    const wanted = definition({ root: { "x-kubernetes-validations": [{ rule: "self.spec.(" }] } });
    expectStatus(await fixture.client.post(definitions, wanted), 422, "Invalid");
  });

  test("take their objects along when deleted", async () => {
    const kind = await define(fixture);
    expectCode(await fixture.client.post(kind.path(), kind.object("one")), 201);
    expectCode(await fixture.client.delete(`${definitions}/${kind.name}`), 200);
    await eventually(
      () => fixture.client.get(`${definitions}/${kind.name}`),
      (reply) => reply.code === 404,
    );
    await eventually(
      () => fixture.client.get(kind.path()),
      (reply) => reply.code === 404,
    );
  });

  test("changed schemas count at once", async () => {
    const kind = await define(fixture, { spec: { a: text } });
    const path = `${definitions}/${kind.name}`;
    const operations = [
      { op: "add", path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/b", value: text },
    ];
    expectCode(await fixture.client.patch(path, "json", operations), 200);
    const reply = await eventually(
      () =>
        fixture.client.post(kind.path(), {
          ...kind.object("", { spec: { b: "x" }, metadata: { generateName: "x-" } }),
        }),
      ({ body }) => body.spec?.b === "x",
    );
    expectCode(reply, 201);
  });
});

describe("objects of a definition", () => {
  test("are created, read, listed and deleted", async () => {
    const kind = await define(fixture, { spec: { a: text } });
    const { body } = expectCode(await fixture.client.post(kind.path(), kind.object("one", { spec: { a: "x" } })), 201);
    expect(body).toMatchObject({
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      spec: { a: "x" },
      metadata: { generation: 1 },
    });
    expect((await fixture.client.get(kind.path("/one"))).body).toEqual(body);
    expect((await fixture.client.get(kind.path())).body).toMatchObject({
      kind: `${kind.kind}List`,
      apiVersion: kind.apiVersion,
      items: [{ metadata: { name: "one" } }],
    });
    expectCode(await fixture.client.delete(kind.path("/one")), 200);
  });

  test("of cluster scope have no namespace", async () => {
    const kind = await define(fixture, { scope: "Cluster" });
    const { body } = expectCode(await fixture.client.post(kind.path(), kind.object("one")), 201);
    expect(body.metadata).not.toHaveProperty("namespace");
  });

  test.each([
    ["type", { type: "integer" }, "text", 'must be of type integer: "string"'],
    ["minimum", { type: "integer", minimum: 3 }, 1, "should be greater than or equal to 3"],
    ["maximum", { type: "integer", maximum: 3 }, 4, "should be less than or equal to 3"],
    ["enum", { type: "string", enum: ["a", "b"] }, "c", 'Unsupported value: "c": supported values: "a", "b"'],
    ["pattern", { type: "string", pattern: "^a+$" }, "b", "should match '^a+$'"],
    ["minLength", { type: "string", minLength: 2 }, "a", "should be at least 2 chars long"],
    ["maxLength", { type: "string", maxLength: 2 }, "abc", "Too long: may not be more than 2"],
    ["minItems", { type: "array", items: { type: "string" }, minItems: 1 }, [], "should have at least 1 items"],
    [
      "maxItems",
      { type: "array", items: { type: "string" }, maxItems: 1 },
      ["a", "b"],
      "Too many: 2: must have at most 1 item",
    ],
    ["format", { type: "string", format: "date-time" }, "yesterday", "must be of type date-time"],
    ["int-or-string", { "x-kubernetes-int-or-string": true }, true, "Invalid value"],
    ["multipleOf", { type: "integer", multipleOf: 3 }, 4, "should be a multiple of 3"],
  ])("that break %s are refused with Kubernetes' text", async (...[, schema, value, message]) => {
    const kind = await define(fixture, { spec: { field: schema } });
    const status = expectStatus(
      await fixture.client.post(kind.path(), kind.object("one", { spec: { field: value } })),
      422,
      "Invalid",
    );
    expect(status.message).toContain(message);
    expect(status.details).toMatchObject({ name: "one", group: "contract.openpitrix.io", kind: kind.kind });
    expect(status.details.causes[0].field).toMatch(/^spec\.field/);
  });

  test("lack required fields", async () => {
    const kind = await define(fixture, { root: { required: ["spec"] } });
    const status = expectStatus(await fixture.client.post(kind.path(), kind.object("one")), 422, "Invalid");
    expect(status.details.causes).toContainEqual({
      reason: "FieldValueRequired",
      message: "Required value",
      field: "spec",
    });
  });

  test("get defaults, on the way in and in later reads", async () => {
    const kind = await define(fixture, {
      spec: {
        size: { type: "integer", default: 3 },
        nested: { type: "object", default: {}, properties: { on: { type: "boolean", default: true } } },
      },
    });
    const { body } = expectCode(await fixture.client.post(kind.path(), kind.object("one", { spec: {} })), 201);
    expect(body.spec).toEqual({ size: 3, nested: { on: true } });
  });

  test("lose unknown fields, with a warning", async () => {
    const kind = await define(fixture, { spec: { a: text } });
    const reply = expectCode(
      await fixture.client.post(kind.path("?fieldValidation=Warn"), kind.object("one", { spec: { a: "x", b: 1 } })),
      201,
    );
    expect(reply.body.spec).toEqual({ a: "x" });
    expect(reply.headers["warning"]).toContain('unknown field \\"spec.b\\"');
  });

  test("with unknown fields are refused when validation is strict, and silent when it is off", async () => {
    const kind = await define(fixture, { spec: { a: text } });
    const object = kind.object("one", { spec: { a: "x", b: 1 } });
    const status = expectStatus(
      await fixture.client.post(kind.path("?fieldValidation=Strict"), object),
      400,
      "BadRequest",
    );
    expect(status.message).toBe(
      `${kind.kind} in version "v1" cannot be handled as a ${kind.kind}: strict decoding error: unknown field "spec.b"`,
    );
    const reply = expectCode(await fixture.client.post(kind.path("?fieldValidation=Ignore"), object), 201);
    expect(reply.headers["warning"]).toBeUndefined();
  });

  test("keep unknown fields where the schema says so", async () => {
    const kind = await define(fixture, {
      spec: { free: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    });
    const { body } = await fixture.client.post(
      kind.path(),
      kind.object("one", { spec: { free: { any: { thing: [1] } } } }),
    );
    expect(body.spec.free).toEqual({ any: { thing: [1] } });
  });

  test("lose null where it is not allowed", async () => {
    const kind = await define(fixture, { spec: { never: text } });
    const { body } = expectCode(
      await fixture.client.post(kind.path(), kind.object("one", { spec: { never: null } })),
      201,
    );
    expect(body.spec).toEqual({});
  });

  test("keep null where it is allowed", async () => {
    const kind = await define(fixture, { spec: { maybe: { type: "string", nullable: true } } });
    const { body } = expectCode(
      await fixture.client.post(kind.path(), kind.object("one", { spec: { maybe: null } })),
      201,
    );
    expect(body.spec).toEqual({ maybe: null });
  });

  test.each([7, "50%"])("take %j for int-or-string", async (value) => {
    const kind = await define(fixture, { spec: { field: { "x-kubernetes-int-or-string": true } } });
    expect(
      expectCode(await fixture.client.post(kind.path(), kind.object("one", { spec: { field: value } })), 201).body.spec
        .field,
    ).toBe(value);
  });

  test("refuse repeated items of sets and repeated keys of maps", async () => {
    const kind = await define(fixture, {
      spec: {
        set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
        map: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: { type: "object", required: ["name"], properties: { name: text } },
        },
      },
    });
    const twice = await fixture.client.post(kind.path(), kind.object("one", { spec: { set: ["a", "a"] } }));
    expect(expectStatus(twice, 422, "Invalid").message).toContain('Duplicate value: "a"');
    const keys = await fixture.client.post(
      kind.path(),
      kind.object("one", { spec: { map: [{ name: "a" }, { name: "a" }] } }),
    );
    expect(expectStatus(keys, 422, "Invalid").message).toContain("Duplicate value");
  });
});

describe("rules", () => {
  // Unbounded texts make rules too expensive.
  const short = { ...text, maxLength: 100 };
  const ruled = (rules: Loose[], spec: Loose = { min: { type: "integer" }, max: { type: "integer" }, name: short }) =>
    define(fixture, {
      root: { properties: { spec: { type: "object", properties: spec, "x-kubernetes-validations": rules } } },
    });

  test("that fail are named by their message", async () => {
    const kind = await ruled([{ rule: "self.min <= self.max", message: "min must not exceed max" }]);
    const status = expectStatus(
      await fixture.client.post(kind.path(), kind.object("one", { spec: { min: 2, max: 1 } })),
      422,
      "Invalid",
    );
    expect(status.message).toContain("min must not exceed max");
    expect(status.details.causes[0].field).toBe("spec");
    expectCode(await fixture.client.post(kind.path(), kind.object("one", { spec: { min: 1, max: 2 } })), 201);
  });

  test("can compute their message", async () => {
    const kind = await ruled([{ rule: "self.min < 5", messageExpression: "'too much for ' + self.name" }]);
    const status = expectStatus(
      await fixture.client.post(kind.path(), kind.object("one", { spec: { min: 7, name: "a cup" } })),
      422,
      "Invalid",
    );
    expect(status.message).toContain("too much for a cup");
  });

  test("about the old object hold on updates only", async () => {
    const kind = await ruled([{ rule: "self.name == oldSelf.name", message: "name is fixed" }]);
    expectCode(await fixture.client.post(kind.path(), kind.object("one", { spec: { name: "a" } })), 201);
    const status = expectStatus(
      await fixture.client.patch(kind.path("/one"), "merge", { spec: { name: "b" } }),
      422,
      "Invalid",
    );
    expect(status.message).toContain("name is fixed");
    expectCode(await fixture.client.patch(kind.path("/one"), "merge", { spec: { min: 1 } }), 200);
  });

  test("can be of a reason and point at a field", async () => {
    const kind = await ruled([
      { rule: "self.min > 0", message: "positive please", reason: "FieldValueForbidden", fieldPath: ".min" },
    ]);
    const status = expectStatus(
      await fixture.client.post(kind.path(), kind.object("one", { spec: { min: 0 } })),
      422,
      "Invalid",
    );
    expect(status.details.causes[0]).toMatchObject({ reason: "FieldValueForbidden", field: "spec.min" });
  });

  test.each([
    ["self.name.startsWith('a') && self.name.matches('^a.c$')", "abc", "xbc"],
    ["size(self.name) in [1, 2]", "ab", "abc"],
    ["self.name.split(',').all(part, part.size() > 0)", "a,b", "a,,b"],
    ["!has(self.max) || self.name == 'x'", "anything", undefined],
    ["self.name.lowerAscii() == self.name", "low", "LOW"],
    ["isURL(self.name) && url(self.name).getScheme() == 'https'", "https://a.example", "http://a.example"],
    ["quantity(self.name).isLessThan(quantity('1Gi'))", "200Mi", "2Gi"],
    ["self.name.matches('^(a+)+$')", "aaa", `${"a".repeat(60)}b`],
    ["self.name.matches('^[[:alpha:]]+\\\\z')", "abc", "ab1"],
    ["self.name.findAll('[0-9]+', 2) == ['1', '22']", "1a22b3", "1a2"],
    ["self.name.split(',').all(i, part, part == string(i))", "0,1,2", "0,2"],
    ["self.name.split(',').exists(i, part, i == 1 && part == 'b')", "a,b", "b,a"],
    ["self.name.split(',').existsOne(i, part, part == 'b')", "a,b", "b,b"],
    ["self.name.split(',').transformList(i, part, i > 0, part + '!') == ['b!']", "a,b", "a,b,c"],
    ["{'a': 1, 'b': 2}.transformMap(k, v, k == self.name, v + 1) == {'a': 2}", "a", "b"],
    ["self.name.split(',').transformMapEntry(i, part, {part: i}) == {'a': 0, 'b': 1}", "a,b", "b,a"],
    ["ip.isCanonical(self.name)", "2001:db8::1", "2001:DB8:0::1"],
    ["ip(self.name).isGlobalUnicast()", "10.0.0.1", "127.0.0.1"],
    ["isIP(self.name)", "::1", "::ffff:1.2.3.4"],
    ["cidr('10.0.0.0/8').containsCIDR(self.name)", "10.1.0.0/16", "11.0.0.0/16"],
    ["cidr(self.name) == cidr(self.name).masked()", "2001:db8::/32", "2001:db8::1/32"],
    ["string(cidr(self.name).masked()) == '10.16.0.0/12'", "10.17.2.3/12", "10.17.2.3/13"],
    ["isSemver(self.name) && semver(self.name).isGreaterThan(semver('1.2.0'))", "1.10.0", "v1.10.0"],
    ["semver(self.name, true).compareTo(semver('1.2.0-rc.1')) == 1", "v1.2", "1.2.0-beta"],
  ])("know %s", async (rule, good, bad) => {
    const kind = await ruled([{ rule }]);
    expectCode(await fixture.client.post(kind.path(), kind.object("good", { spec: { name: good } })), 201);
    if (bad !== undefined)
      expectCode(await fixture.client.post(kind.path(), kind.object("bad", { spec: { name: bad } })), 422);
  });
});

describe("subresources and versions of a definition", () => {
  const sized = {
    version: {
      subresources: {
        status: {},
        scale: {
          specReplicasPath: ".spec.size",
          statusReplicasPath: ".status.size",
          labelSelectorPath: ".status.selector",
        },
      },
    },
    spec: { size: { type: "integer" } },
  };

  test("status is dropped on creation and on ordinary writes", async () => {
    const kind = await define(fixture, sized);
    const { body } = await fixture.client.post(
      kind.path(),
      kind.object("one", { spec: { size: 1 }, status: { size: 9 } }),
    );
    expect(body).not.toHaveProperty("status");
    const written = await fixture.client.patch(kind.path("/one"), "merge", { status: { size: 9 } });
    expect(written.body).not.toHaveProperty("status");
  });

  test("status writes change the status only and not the generation", async () => {
    const kind = await define(fixture, sized);
    await fixture.client.post(kind.path(), kind.object("one", { spec: { size: 1 } }));
    const patched = expectCode(
      await fixture.client.patch(kind.path("/one/status"), "merge", { spec: { size: 5 }, status: { size: 2 } }),
      200,
    ).body;
    expect(patched).toMatchObject({ spec: { size: 1 }, status: { size: 2 }, metadata: { generation: 1 } });
    const read = expectCode(await fixture.client.get(kind.path("/one/status")), 200).body;
    expect(read).toEqual(patched);
    const put = expectCode(
      await fixture.client.put(kind.path("/one/status"), { ...read, status: { size: 3 } }),
      200,
    ).body;
    expect(put.status).toEqual({ size: 3 });
  });

  test("without a status subresource the status is an ordinary field", async () => {
    const kind = await define(fixture, { spec: { a: text } });
    const { body } = await fixture.client.post(kind.path(), kind.object("one", { status: { a: 1 } }));
    expect(body.status).toEqual({ a: 1 });
    expectCode(await fixture.client.get(kind.path("/one/status")), 404);
  });

  test("scale shows and changes the replicas", async () => {
    const kind = await define(fixture, sized);
    await fixture.client.post(kind.path(), kind.object("one", { spec: { size: 2 } }));
    await fixture.client.patch(kind.path("/one/status"), "merge", { status: { size: 1, selector: "a=b" } });
    const scale = expectCode(await fixture.client.get(kind.path("/one/scale")), 200).body;
    expect(scale).toMatchObject({
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      spec: { replicas: 2 },
      status: { replicas: 1, selector: "a=b" },
    });
    expectCode(await fixture.client.put(kind.path("/one/scale"), { ...scale, spec: { replicas: 4 } }), 200);
    expectCode(await fixture.client.patch(kind.path("/one/scale"), "merge", { spec: { replicas: 5 } }), 200);
    expect((await fixture.client.get(kind.path("/one"))).body).toMatchObject({
      spec: { size: 5 },
      metadata: { generation: 3 },
    });
  });

  test("columns are those of the definition", async () => {
    const additionalPrinterColumns = [
      { name: "Size", type: "integer", jsonPath: ".spec.size" },
      { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: "Label", type: "string", jsonPath: ".metadata.labels.example\\.io/a", priority: 1 },
      { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
    ];
    const kind = await define(fixture, { spec: { size: { type: "integer" } }, version: { additionalPrinterColumns } });
    const status = {
      conditions: [
        { type: "Other", status: "False" },
        { type: "Ready", status: "True" },
      ],
    };
    await fixture.client.post(
      kind.path(),
      kind.object("one", { metadata: { labels: { "example.io/a": "x" } }, spec: { size: 3 }, status }),
    );
    const { body } = await fixture.client.get(kind.path(), table);
    expect(body.columnDefinitions.map(({ name, priority }: Loose) => [name, priority])).toEqual([
      ["Name", 0],
      ["Size", 0],
      ["Ready", 0],
      ["Label", 1],
      ["Age", 0],
    ]);
    expect(body.rows[0].cells.slice(0, 4)).toEqual(["one", 3, "True", "x"]);
    expect(body.rows[0].cells[4]).toMatch(/^\d+s$/);
  });

  test("selectable fields select", async () => {
    const kind = await define(fixture, {
      spec: { color: text },
      version: { selectableFields: [{ jsonPath: ".spec.color" }] },
    });
    for (const color of ["red", "blue"])
      await fixture.client.post(kind.path(), kind.object(color, { spec: { color } }));
    const { body } = expectCode(await fixture.client.get(kind.path("?fieldSelector=spec.color%3Dred")), 200);
    expect(body.items.map((item: Loose) => item.metadata.name)).toEqual(["red"]);
  });

  test("several served versions show the same objects", async () => {
    const wanted = definition({ spec: { a: text } });
    const [first] = wanted.spec.versions;
    wanted.spec.versions = [
      first,
      { ...first, name: "v1beta1", storage: false, deprecated: true, deprecationWarning: "v1beta1 is old" },
    ];
    expectCode(await fixture.client.post(definitions, wanted), 201);
    const { group, names } = wanted.spec;
    const at = (version: string, rest = ""): string => fixture.group(`${group}/${version}`, `${names.plural}${rest}`);
    await eventually(
      () => fixture.client.get(at("v1beta1")),
      (reply) => reply.code === 200,
    );
    const created = await fixture.client.post(at("v1beta1"), {
      apiVersion: `${group}/v1beta1`,
      kind: names.kind,
      metadata: { name: "one" },
      spec: { a: "x" },
    });
    expectCode(created, 201);
    expect(created.headers["warning"]).toContain("v1beta1 is old");
    expect((await fixture.client.get(at("v1", "/one"))).body).toMatchObject({
      apiVersion: `${group}/v1`,
      spec: { a: "x" },
    });
    expect((await fixture.client.get(at("v1beta1", "/one"))).body.apiVersion).toBe(`${group}/v1beta1`);
  });

  test("a version that is not served is not found", async () => {
    const wanted = definition();
    wanted.spec.versions.push({ ...wanted.spec.versions[0], name: "v2", served: false, storage: false });
    expectCode(await fixture.client.post(definitions, wanted), 201);
    const path = fixture.group(`${wanted.spec.group}/v1`, wanted.spec.names.plural);
    await eventually(
      () => fixture.client.get(path),
      (reply) => reply.code === 200,
    );
    expectCode(await fixture.client.get(fixture.group(`${wanted.spec.group}/v2`, wanted.spec.names.plural)), 404);
  });
});

describe("a definition that is going", () => {
  test("takes no new objects until the old ones are gone", async () => {
    const kind = await define(fixture);
    const held = kind.object("held", { metadata: { finalizers: ["contract.openpitrix.io/held"] } });
    expectCode(await fixture.client.post(kind.path(), held), 201);
    expectCode(
      await fixture.client.delete(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${kind.name}`),
      200,
    );
    const refused = await eventually(
      () => fixture.client.post(kind.path("?dryRun=All"), kind.object("late")),
      ({ code }) => code !== 201,
    );
    expect(expectStatus(refused, 403, "Forbidden").message).toBe(
      `${kind.name} "late" is forbidden: create not allowed while custom resource definition is terminating`,
    );
    const applied = await fixture.client.patch(kind.path("/late?fieldManager=x"), "apply", kind.object("late"));
    expectStatus(applied, 403, "Forbidden");
    expectCode(await fixture.client.patch(kind.path("/held"), "merge", { metadata: { finalizers: null } }), 200);
    await eventually(
      () => fixture.client.get(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${kind.name}`),
      ({ code }) => code === 404,
    );
  });
});
