import { describe, expect, test } from "vitest";
import { eventually, expectCode, expectStatus, type Loose } from "./client.ts";
import { configMap, deployment, fresh, useCluster } from "./fixture.ts";

const fixture = useCluster();
const maps = (rest = ""): string => fixture.core(`configmaps${rest}`);
const create = async (metadata: Loose = {}): Promise<Loose> =>
  expectCode(await fixture.client.post(maps(), configMap(fresh(), { metadata })), 201).body;
const gone = (name: string): Promise<unknown> =>
  eventually(
    () => fixture.client.get(maps(`/${name}`)),
    (reply) => reply.code === 404,
  );
const ownedBy = (owner: Loose, more = {}): Loose => ({
  ownerReferences: [
    { apiVersion: "v1", kind: "ConfigMap", name: owner.metadata.name, uid: owner.metadata.uid, ...more },
  ],
});

describe("delete", () => {
  test("answers a Status with the details of what is gone", async () => {
    const { metadata } = await create();
    const { body } = expectCode(await fixture.client.delete(maps(`/${metadata.name}`)), 200);
    expect(body).toMatchObject({
      kind: "Status",
      status: "Success",
      details: { name: metadata.name, kind: "configmaps", uid: metadata.uid },
    });
    expectCode(await fixture.client.get(maps(`/${metadata.name}`)), 404);
  });

  test("of nothing is not found", async () => {
    expectStatus(await fixture.client.delete(maps("/nothing")), 404, "NotFound");
  });

  test("of a Pod or a Service answers with the object", async () => {
    await fixture.client.post(fixture.core("services"), {
      metadata: { name: "gone" },
      spec: { ports: [{ port: 80 }] },
    });
    const { body } = expectCode(await fixture.client.delete(fixture.core("services/gone")), 200);
    expect(body.kind).toBe("Service");
  });

  test("the name is free again at once", async () => {
    const first = await create();
    await fixture.client.delete(maps(`/${first.metadata.name}`));
    const second = expectCode(await fixture.client.post(maps(), configMap(first.metadata.name)), 201).body;
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
  });

  test("dryRun=All deletes nothing, from query or body", async () => {
    const { metadata } = await create();
    expectCode(await fixture.client.delete(maps(`/${metadata.name}?dryRun=All`)), 200);
    expectCode(await fixture.client.delete(maps(`/${metadata.name}`), { dryRun: ["All"] }), 200);
    expectCode(await fixture.client.get(maps(`/${metadata.name}`)), 200);
  });

  test("a uid precondition that does not hold conflicts", async () => {
    const { metadata } = await create();
    const reply = await fixture.client.delete(maps(`/${metadata.name}`), { preconditions: { uid: "other" } });
    expect(expectStatus(reply, 409, "Conflict").message).toBe(
      `Operation cannot be fulfilled on ConfigMap "${metadata.name}": the UID in the precondition (other) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
    expectCode(await fixture.client.delete(maps(`/${metadata.name}`), { preconditions: { uid: metadata.uid } }), 200);
  });

  test("a resourceVersion precondition that does not hold conflicts", async () => {
    const { metadata } = await create();
    const reply = await fixture.client.delete(maps(`/${metadata.name}`), { preconditions: { resourceVersion: "1" } });
    expectStatus(reply, 409, "Conflict");
  });

  test("an unknown propagation policy is refused", async () => {
    const { metadata } = await create();
    expect([400, 422]).toContain(
      (await fixture.client.delete(maps(`/${metadata.name}?propagationPolicy=Sometimes`))).code,
    );
  });

  test("of a collection deletes what is selected", async () => {
    const label = fresh();
    for (let index = 0; index < 3; index += 1) await create({ labels: { batch: label } });
    const other = await create();
    const { body } = expectCode(await fixture.client.delete(maps(`?labelSelector=batch%3D${label}`)), 200);
    expect(body.items ?? []).toHaveLength(3);
    expect((await fixture.client.get(maps(`?labelSelector=batch%3D${label}`))).body.items).toEqual([]);
    expectCode(await fixture.client.get(maps(`/${other.metadata.name}`)), 200);
  });
});

describe("finalizers", () => {
  test("hold an object back until the last one is gone", async () => {
    const { metadata } = await create({ finalizers: ["example.io/a", "example.io/b"] });
    const path = maps(`/${metadata.name}`);
    const { body } = expectCode(await fixture.client.delete(path), 200);
    expect(body).toMatchObject({
      kind: "ConfigMap",
      metadata: { deletionTimestamp: expect.any(String), deletionGracePeriodSeconds: 0 },
    });
    expectCode(await fixture.client.patch(path, "merge", { metadata: { finalizers: ["example.io/b"] } }), 200);
    expectCode(await fixture.client.get(path), 200);
    expectCode(await fixture.client.patch(path, "merge", { metadata: { finalizers: null } }), 200);
    expectCode(await fixture.client.get(path), 404);
  });

  test("deleting again changes nothing", async () => {
    const { metadata } = await create({ finalizers: ["example.io/a"] });
    const path = maps(`/${metadata.name}`);
    const first = (await fixture.client.delete(path)).body;
    const second = expectCode(await fixture.client.delete(path), 200).body;
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    await fixture.client.patch(path, "merge", { metadata: { finalizers: [] } });
  });

  test("cannot be added once an object is being deleted", async () => {
    const { metadata } = await create({ finalizers: ["example.io/a"] });
    const path = maps(`/${metadata.name}`);
    await fixture.client.delete(path);
    const reply = await fixture.client.patch(path, "merge", {
      metadata: { finalizers: ["example.io/a", "example.io/late"] },
    });
    expect(expectStatus(reply, 422, "Invalid").message).toContain(
      "no new finalizers can be added if the object is being deleted",
    );
    await fixture.client.patch(path, "merge", { metadata: { finalizers: [] } });
  });

  test("the deletionTimestamp cannot be taken back", async () => {
    const { metadata } = await create({ finalizers: ["example.io/a"] });
    const path = maps(`/${metadata.name}`);
    const marked = (await fixture.client.delete(path)).body;
    const { deletionTimestamp: _, ...kept } = marked.metadata;
    const { body } = await fixture.client.put(path, { ...marked, metadata: kept, data: { a: "b" } });
    expect(body.metadata.deletionTimestamp).toBe(marked.metadata.deletionTimestamp);
    await fixture.client.patch(path, "merge", { metadata: { finalizers: [] } });
  });

  test("with bad names are refused", async () => {
    expectStatus(
      await fixture.client.post(maps(), configMap(fresh(), { metadata: { finalizers: ["bad name/x"] } })),
      422,
      "Invalid",
    );
  });

  test("deleting raises the generation of what counts it", async () => {
    const name = fresh();
    const path = fixture.group("apps/v1", `deployments/${name}`);
    await fixture.client.post(
      fixture.group("apps/v1", "deployments"),
      deployment(name, { metadata: { finalizers: ["example.io/a"] } }),
    );
    expect((await fixture.client.delete(path)).body.metadata.generation).toBe(2);
    await fixture.client.patch(path, "merge", { metadata: { finalizers: null } });
  });
});

describe("owners", () => {
  test("take their dependents along", async () => {
    const owner = await create();
    const child = await create(ownedBy(owner));
    const grandchild = await create(ownedBy(child));
    await fixture.client.delete(maps(`/${owner.metadata.name}?propagationPolicy=Background`));
    await gone(child.metadata.name);
    await gone(grandchild.metadata.name);
  });

  test("of which one is left keep the dependent", async () => {
    const [first, second] = [await create(), await create()];
    const references = [...ownedBy(first).ownerReferences, ...ownedBy(second).ownerReferences];
    const child = await create({ ownerReferences: references });
    await fixture.client.delete(maps(`/${first.metadata.name}?propagationPolicy=Background`));
    const path = maps(`/${child.metadata.name}`);
    const kept = await eventually(
      () => fixture.client.get(path),
      (reply) => reply.body.metadata?.ownerReferences?.length === 1,
    );
    expect(kept.body.metadata.ownerReferences[0].uid).toBe(second.metadata.uid);
    await fixture.client.delete(maps(`/${second.metadata.name}?propagationPolicy=Background`));
    await gone(child.metadata.name);
  });

  test("deleted with Orphan leave them behind", async () => {
    const owner = await create();
    const child = await create(ownedBy(owner));
    await fixture.client.delete(maps(`/${owner.metadata.name}`), { propagationPolicy: "Orphan" });
    await gone(owner.metadata.name);
    const { body } = await eventually(
      () => fixture.client.get(maps(`/${child.metadata.name}`)),
      (reply) => reply.body.metadata.ownerReferences === undefined,
    );
    expect(body.metadata.name).toBe(child.metadata.name);
  });

  test("deleted with Foreground wait for those that block", async () => {
    const owner = await create();
    const child = await create({ ...ownedBy(owner, { blockOwnerDeletion: true }), finalizers: ["example.io/wait"] });
    const { body } = expectCode(
      await fixture.client.delete(maps(`/${owner.metadata.name}`), { propagationPolicy: "Foreground" }),
      200,
    );
    expect(body.metadata.finalizers).toEqual(["foregroundDeletion"]);
    const path = maps(`/${child.metadata.name}`);
    await eventually(
      () => fixture.client.get(path),
      (reply) => reply.body.metadata.deletionTimestamp !== undefined,
    );
    expectCode(await fixture.client.get(maps(`/${owner.metadata.name}`)), 200);
    await fixture.client.patch(path, "json", [{ op: "remove", path: "/metadata/finalizers/0" }]);
    await gone(child.metadata.name);
    await gone(owner.metadata.name);
  });

  test("that never were take an object with them", async () => {
    const ghost = { metadata: { name: "ghost", uid: "11111111-1111-1111-1111-111111111111" } };
    const child = await create(ownedBy(ghost));
    await gone(child.metadata.name);
  });

  test("with the right name but another uid do not count", async () => {
    const owner = await create();
    const child = await create(
      ownedBy({ metadata: { name: owner.metadata.name, uid: "22222222-2222-2222-2222-222222222222" } }),
    );
    await gone(child.metadata.name);
    expectCode(await fixture.client.get(maps(`/${owner.metadata.name}`)), 200);
  });
});
