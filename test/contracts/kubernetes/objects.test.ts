import { describe, expect, test } from "vitest";
import { expectCode, expectStatus } from "./client.ts";
import { configMap, deployment, fresh, useCluster } from "./fixture.ts";

const fixture = useCluster();
const maps = (rest = ""): string => fixture.core(`configmaps${rest}`);

describe("create", () => {
  test("answers 201 with the completed object", async () => {
    const name = fresh();
    const { body } = expectCode(await fixture.client.post(maps(), configMap(name)), 201);
    expect(body).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", data: { key: "value" } });
    expect(body.metadata).toMatchObject({
      name,
      namespace: fixture.namespace,
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      resourceVersion: expect.stringMatching(/^\d+$/),
      creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
  });

  test("kind and apiVersion may be left out of the body", async () => {
    const { body } = expectCode(await fixture.client.post(maps(), { metadata: { name: fresh() } }), 201);
    expect(body).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
  });

  test("the same name again is taken", async () => {
    const name = fresh();
    await fixture.client.post(maps(), configMap(name));
    const status = expectStatus(await fixture.client.post(maps(), configMap(name)), 409, "AlreadyExists");
    expect(status.message).toBe(`configmaps "${name}" already exists`);
    expect(status.details).toEqual({ name, kind: "configmaps" });
  });

  test("the message of a grouped resource names the group", async () => {
    const name = fresh();
    await fixture.client.post(fixture.group("apps/v1", "deployments"), deployment(name));
    const again = await fixture.client.post(fixture.group("apps/v1", "deployments"), deployment(name));
    expect(expectStatus(again, 409, "AlreadyExists")).toMatchObject({
      message: `deployments.apps "${name}" already exists`,
      details: { name, group: "apps", kind: "deployments" },
    });
  });

  test("generateName makes a name", async () => {
    const body = { metadata: { generateName: "made-" } };
    const first = expectCode(await fixture.client.post(maps(), body), 201).body;
    const second = expectCode(await fixture.client.post(maps(), body), 201).body;
    expect(first.metadata.name).toMatch(/^made-[a-z0-9]{5}$/);
    expect(first.metadata.name).not.toBe(second.metadata.name);
    expect(first.metadata.generateName).toBe("made-");
  });

  test("a name is required", async () => {
    const status = expectStatus(await fixture.client.post(maps(), { metadata: {} }), 422, "Invalid");
    expect(status.message).toContain("name or generateName is required");
  });

  test.each(["Upper", "under_score", "-dash", "dot.", "a".repeat(254)])("the name %j is refused", async (name) => {
    const status = expectStatus(await fixture.client.post(maps(), configMap(name)), 422, "Invalid");
    expect(status.details.causes[0]).toMatchObject({ reason: "FieldValueInvalid", field: "metadata.name" });
  });

  test.each([
    ["labels", { labels: { "bad key!": "x" } }, "metadata.labels"],
    ["label values", { labels: { key: "bad value!" } }, "metadata.labels"],
    ["annotations", { annotations: { "bad key!": "x" } }, "metadata.annotations"],
  ])("bad %s are refused", async (_, metadata, field) => {
    const status = expectStatus(await fixture.client.post(maps(), configMap(fresh(), { metadata })), 422, "Invalid");
    expect(status.details.causes[0].field).toContain(field);
  });

  test("a resourceVersion may not be set", async () => {
    const body = configMap(fresh(), { metadata: { resourceVersion: "1" } });
    const status = expectCode(await fixture.client.post(maps(), body), 500).body;
    expect(status.message).toContain("resourceVersion should not be set on objects to be created");
  });

  test("uid, creationTimestamp and deletionTimestamp of the body do not count", async () => {
    const metadata = {
      uid: "mine",
      creationTimestamp: "2001-01-01T00:00:00Z",
      deletionTimestamp: "2001-01-01T00:00:00Z",
    };
    const { body } = expectCode(await fixture.client.post(maps(), configMap(fresh(), { metadata })), 201);
    expect(body.metadata.uid).not.toBe("mine");
    expect(body.metadata.creationTimestamp).not.toContain("2001");
    expect(body.metadata).not.toHaveProperty("deletionTimestamp");
  });

  test("the namespace of the body must be that of the path", async () => {
    const body = configMap(fresh(), { metadata: { namespace: "default" } });
    const status = expectStatus(await fixture.client.post(maps(), body), 400, "BadRequest");
    expect(status.message).toContain("does not match the namespace");
  });

  test("the kind of the body must be that of the path", async () => {
    expectStatus(await fixture.client.post(maps(), { ...configMap(fresh()), kind: "Secret" }), 400, "BadRequest");
  });

  test("the version of the body must be that of the path", async () => {
    expectStatus(await fixture.client.post(maps(), { ...configMap(fresh()), apiVersion: "v2" }), 400, "BadRequest");
  });

  test("a namespace that does not exist is named", async () => {
    const status = expectStatus(
      await fixture.client.post("/api/v1/namespaces/nowhere/configmaps", configMap(fresh())),
      404,
      "NotFound",
    );
    expect(status).toMatchObject({
      message: 'namespaces "nowhere" not found',
      details: { name: "nowhere", kind: "namespaces" },
    });
  });

  test("dryRun=All answers like a creation and stores nothing", async () => {
    const name = fresh();
    const { body } = expectCode(await fixture.client.post(maps("?dryRun=All"), configMap(name)), 201);
    expect(body.metadata.uid).toBeTruthy();
    expectCode(await fixture.client.get(maps(`/${name}`)), 404);
  });

  test("another dryRun is refused", async () => {
    expectCode(await fixture.client.post(maps("?dryRun=Some"), configMap(fresh())), 422);
  });

  test("POST to an object is refused", async () => {
    expectCode(await fixture.client.post(maps("/name"), configMap("name")), 405);
  });

  test("fields of the wrong type are refused", async () => {
    const reply = await fixture.client.post(maps(), { metadata: { name: fresh() }, data: { key: 7 } });
    expectCode(reply, 400);
    expect(reply.body.reason).toBe("BadRequest");
  });
});

describe("read", () => {
  test("gives what was created", async () => {
    const created = (await fixture.client.post(maps(), configMap(fresh()))).body;
    const { body } = expectCode(await fixture.client.get(maps(`/${created.metadata.name}`)), 200);
    expect(body).toEqual(created);
  });

  test("of nothing is not found", async () => {
    const status = expectStatus(await fixture.client.get(maps("/nothing")), 404, "NotFound");
    expect(status).toMatchObject({
      message: 'configmaps "nothing" not found',
      details: { name: "nothing", kind: "configmaps" },
    });
  });
});

describe("update", () => {
  const created = async (over = {}) => (await fixture.client.post(maps(), configMap(fresh(), over))).body;

  test("replaces the object and raises its resourceVersion", async () => {
    const before = await created();
    const { body } = expectCode(
      await fixture.client.put(maps(`/${before.metadata.name}`), { ...before, data: { other: "x" } }),
      200,
    );
    expect(body.data).toEqual({ other: "x" });
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
    expect(body.metadata.uid).toBe(before.metadata.uid);
    expect(body.metadata.creationTimestamp).toBe(before.metadata.creationTimestamp);
  });

  test("with an old resourceVersion conflicts", async () => {
    const before = await created();
    const path = maps(`/${before.metadata.name}`);
    await fixture.client.put(path, { ...before, data: { a: "1" } });
    const status = expectStatus(await fixture.client.put(path, { ...before, data: { a: "2" } }), 409, "Conflict");
    expect(status.message).toBe(
      `Operation cannot be fulfilled on configmaps "${before.metadata.name}": the object has been modified; please apply your changes to the latest version and try again`,
    );
  });

  test("without a resourceVersion wins", async () => {
    const before = await created();
    const { name } = before.metadata;
    const { body } = expectCode(await fixture.client.put(maps(`/${name}`), configMap(name, { data: { a: "3" } })), 200);
    expect(body.data).toEqual({ a: "3" });
  });

  test("that changes nothing keeps the resourceVersion", async () => {
    const before = await created();
    const { body } = expectCode(await fixture.client.put(maps(`/${before.metadata.name}`), before), 200);
    expect(body.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  test("with another uid conflicts", async () => {
    const before = await created();
    const changed = { ...before, metadata: { ...before.metadata, uid: "00000000-0000-0000-0000-000000000000" } };
    expectStatus(await fixture.client.put(maps(`/${before.metadata.name}`), changed), 409, "Conflict");
  });

  test("with another name is refused", async () => {
    const before = await created();
    expectCode(await fixture.client.put(maps(`/${before.metadata.name}`), configMap("another")), 400);
  });

  test("of nothing is not found", async () => {
    expectStatus(await fixture.client.put(maps("/nothing"), configMap("nothing")), 404, "NotFound");
  });

  test("dryRun=All stores nothing", async () => {
    const before = await created();
    const path = maps(`/${before.metadata.name}`);
    expectCode(await fixture.client.put(`${path}?dryRun=All`, { ...before, data: { dry: "x" } }), 200);
    expect((await fixture.client.get(path)).body.data).toEqual(before.data);
  });

  test("an immutable ConfigMap keeps its data", async () => {
    const before = await created({ immutable: true });
    const reply = await fixture.client.put(maps(`/${before.metadata.name}`), { ...before, data: { key: "other" } });
    expect(expectStatus(reply, 422, "Invalid").message).toContain("field is immutable when `immutable` is set");
  });

  test("ten writers at once each get through with a patch", async () => {
    const before = await created();
    const path = maps(`/${before.metadata.name}`);
    const writes = Array.from({ length: 10 }, (_, index) =>
      fixture.client.patch(path, "merge", { data: { [`k${index}`]: "v" } }),
    );
    for (const reply of await Promise.all(writes)) expectCode(reply, 200);
    expect(Object.keys((await fixture.client.get(path)).body.data)).toHaveLength(11);
  });

  test("of ten writers with the same resourceVersion one gets through", async () => {
    const before = await created();
    const path = maps(`/${before.metadata.name}`);
    const writes = Array.from({ length: 10 }, (_, index) =>
      fixture.client.put(path, { ...before, data: { k: String(index) } }),
    );
    const codes = (await Promise.all(writes)).map((reply) => reply.code);
    expect(codes.toSorted()).toEqual([200, ...Array(9).fill(409)]);
  });

  test("of ten creators of one name one gets through", async () => {
    const name = fresh();
    const writes = Array.from({ length: 10 }, () => fixture.client.post(maps(), configMap(name)));
    expect((await Promise.all(writes)).map((reply) => reply.code).toSorted()).toEqual([201, ...Array(9).fill(409)]);
  });
});

describe("generation", () => {
  const path = (rest = ""): string => fixture.group("apps/v1", `deployments${rest}`);

  test("starts at 1 and counts changes of the spec only", async () => {
    const name = fresh();
    expect((await fixture.client.post(path(), deployment(name))).body.metadata.generation).toBe(1);
    const labelled = await fixture.client.patch(path(`/${name}`), "merge", { metadata: { labels: { a: "b" } } });
    expect(labelled.body.metadata.generation).toBe(1);
    const scaled = await fixture.client.patch(path(`/${name}`), "merge", { spec: { replicas: 2 } });
    expect(scaled.body.metadata.generation).toBe(2);
  });

  test("is not there for kinds without a spec", async () => {
    const { body } = await fixture.client.post(maps(), configMap(fresh()));
    expect(body.metadata).not.toHaveProperty("generation");
  });
});
