import { describe, expect, test } from "vitest";
import { expectCode, expectStatus, type Loose, type Reply } from "./client.ts";
import { configMap, define, deployment, fresh, useCluster } from "./fixture.ts";

const fixture = useCluster();

function apply(object: Loose, manager: string, more = ""): Promise<Reply> {
  const { name } = object.metadata;
  const path =
    object.kind === "Deployment" ? fixture.group("apps/v1", `deployments/${name}`) : fixture.core(`configmaps/${name}`);
  return fixture.client.patch(`${path}?fieldManager=${manager}${more}`, "apply", object);
}

const managersOf = (body: Loose): Loose[] =>
  body.metadata.managedFields.map(({ manager, operation }: Loose) => `${manager} ${operation}`);

describe("server-side apply", () => {
  test("creates with 201 and updates with 200", async () => {
    const object = configMap(fresh());
    expectCode(await apply(object, "one"), 201);
    expectCode(await apply({ ...object, data: { key: "other" } }, "one"), 200);
  });

  test("notes who owns which fields", async () => {
    const { body } = await apply(configMap(fresh()), "one");
    expect(body.metadata.managedFields).toEqual([
      {
        manager: "one",
        operation: "Apply",
        apiVersion: "v1",
        time: expect.stringMatching(/Z$/),
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { "f:key": {} } },
      },
    ]);
  });

  test("the same again keeps the resourceVersion", async () => {
    const object = configMap(fresh());
    const first = (await apply(object, "one")).body;
    expect((await apply(object, "one")).body.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  });

  test("removes what the manager no longer applies", async () => {
    const object = configMap(fresh(), { data: { a: "1", b: "2" } });
    await apply(object, "one");
    const { body } = await apply({ ...object, data: { a: "1" } }, "one");
    expect(body.data).toEqual({ a: "1" });
  });

  test("leaves what others own", async () => {
    const object = configMap(fresh(), { data: { a: "1" } });
    await apply(object, "one");
    const { body } = await apply({ ...object, data: { b: "2" } }, "two");
    expect(body.data).toEqual({ a: "1", b: "2" });
    expect(managersOf(body)).toEqual(["one Apply", "two Apply"]);
  });

  test("a field that somebody else owns with another value conflicts", async () => {
    const object = configMap(fresh(), { data: { a: "1" } });
    await apply(object, "one");
    const status = expectStatus(await apply({ ...object, data: { a: "2" } }, "two"), 409, "Conflict");
    expect(status.message).toContain('conflict with "one"');
    expect(status.details.causes).toEqual([
      { reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".data.a" },
    ]);
  });

  test("fields of several managers are told manager by manager", async () => {
    const object = configMap(fresh(), { data: { a: "1" } });
    await apply(object, "one");
    await apply({ ...object, data: { b: "1", c: "1" } }, "two");
    const wanted = { ...object, data: { a: "2", b: "2", c: "2" } };
    expect(expectStatus(await apply(wanted, "three"), 409, "Conflict").message).toBe(
      'Apply failed with 3 conflicts: conflicts with "one":\n- .data.a\nconflicts with "two":\n- .data.b\n- .data.c',
    );
  });

  test("whoever scaled owns the replicas through that subresource", async () => {
    const object = deployment(fresh(), { spec: { replicas: 1 } });
    await apply(object, "one");
    const path = fixture.group("apps/v1", `deployments/${object.metadata.name}/scale?fieldManager=scaler`);
    expectCode(await fixture.client.patch(path, "merge", { spec: { replicas: 2 } }), 200);
    expect(expectStatus(await apply(object, "one"), 409, "Conflict").message).toBe(
      'Apply failed with 1 conflict: conflict with "scaler" with subresource "scale" using apps/v1: .spec.replicas',
    );
  });

  test("fields that the schema does not declare are refused, however strict the validation", async () => {
    const object = configMap(fresh(), { more: 1 });
    const reply = await apply(object, "one", "&fieldValidation=Ignore");
    expect(expectCode(reply, 500).body.message).toBe(
      `failed to create typed patch object (/${object.metadata.name}; /v1, Kind=ConfigMap): .more: field not declared in schema`,
    );
  });

  test("force takes the field over", async () => {
    const object = configMap(fresh(), { data: { a: "1" } });
    await apply(object, "one");
    const { body } = expectCode(await apply({ ...object, data: { a: "2" } }, "two", "&force=true"), 200);
    expect(body.data).toEqual({ a: "2" });
    expect(managersOf(body)).toEqual(["two Apply"]);
  });

  test("the same value is shared without conflict", async () => {
    const object = configMap(fresh(), { data: { a: "1" } });
    await apply(object, "one");
    const { body } = expectCode(await apply(object, "two"), 200);
    expect(managersOf(body).toSorted()).toEqual(["one Apply", "two Apply"]);
  });

  test("an update by others is noted as Update and conflicts later", async () => {
    const object = configMap(fresh(), { data: { a: "1" } });
    await apply(object, "one");
    const path = fixture.core(`configmaps/${object.metadata.name}`);
    const { body } = await fixture.client.patch(`${path}?fieldManager=editor`, "merge", { data: { a: "9" } });
    expect(managersOf(body)).toContain("editor Update");
    expectStatus(await apply(object, "one"), 409, "Conflict");
  });

  test("a fieldManager is required", async () => {
    const object = configMap(fresh());
    const reply = await fixture.client.patch(fixture.core(`configmaps/${object.metadata.name}`), "apply", object);
    expect([400, 422]).toContain(reply.code);
    expect(reply.body.message).toContain("fieldManager");
  });

  test("managedFields may not be sent", async () => {
    const object = configMap(fresh(), { metadata: { managedFields: [{ manager: "x" }] } });
    expectCode(await apply(object, "one"), 400);
  });

  test("takes YAML", async () => {
    const name = fresh();
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  yaml: "yes"\n`;
    const { body } = expectCode(
      await fixture.client.patch(fixture.core(`configmaps/${name}?fieldManager=one`), "apply", text),
      201,
    );
    expect(body.data).toEqual({ yaml: "yes" });
  });

  test("dryRun=All creates nothing", async () => {
    const object = configMap(fresh());
    expectCode(await apply(object, "one", "&dryRun=All"), 201);
    expectCode(await fixture.client.get(fixture.core(`configmaps/${object.metadata.name}`)), 404);
  });

  test("lists with keys are merged item by item", async () => {
    const name = fresh();
    const first = deployment(name);
    await apply(first, "one");
    const second = deployment(name);
    second.spec.template.spec.containers = [{ name: "side", image: "registry.example/side:1" }];
    const { body } = expectCode(await apply(second, "two"), 200);
    expect(body.spec.template.spec.containers.map((one: Loose) => one.name).toSorted()).toEqual(["main", "side"]);
    const last = deployment(name);
    last.spec.template.spec.containers = [{ name: "new", image: "registry.example/new:1" }];
    const after = expectCode(await apply(last, "one"), 200).body;
    expect(after.spec.template.spec.containers.map((one: Loose) => one.name).toSorted()).toEqual(["new", "side"]);
  });

  test("the scale of a deployment can belong to somebody else", async () => {
    const name = fresh();
    await apply(deployment(name), "one");
    await fixture.client.patch(fixture.group("apps/v1", `deployments/${name}?fieldManager=scaler`), "merge", {
      spec: { replicas: 5 },
    });
    const { body } = expectCode(await apply(deployment(name), "one"), 200);
    expect(body.spec.replicas).toBe(5);
  });

  test("works for custom kinds", async () => {
    const kind = await define(fixture, { spec: { a: { type: "string" }, b: { type: "string" } } });
    const path = (manager: string): string => kind.path(`/one?fieldManager=${manager}`);
    expectCode(await fixture.client.patch(path("one"), "apply", kind.object("one", { spec: { a: "1" } })), 201);
    const { body } = expectCode(
      await fixture.client.patch(path("two"), "apply", kind.object("one", { spec: { b: "2" } })),
      200,
    );
    expect(body.spec).toEqual({ a: "1", b: "2" });
  });

  test("a creation is noted as Update of its manager", async () => {
    const { body } = await fixture.client.post(fixture.core("configmaps?fieldManager=maker"), configMap(fresh()));
    expect(managersOf(body)).toEqual(["maker Update"]);
  });

  test("without a fieldManager the user agent names the manager", async () => {
    const reply = await fixture.client.send("POST", fixture.core("configmaps"), {
      body: configMap(fresh()),
      headers: { "user-agent": "probe/1.2" },
    });
    expect(managersOf(reply.body)).toEqual(["probe Update"]);
  });

  test("a status write is noted under its subresource", async () => {
    const name = fresh();
    await apply(deployment(name), "one");
    const path = fixture.group("apps/v1", `deployments/${name}/status?fieldManager=controller`);
    const { body } = expectCode(await fixture.client.patch(path, "merge", { status: { collisionCount: 3 } }), 200);
    expect(body.metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: "controller", subresource: "status" }),
    );
  });
});
