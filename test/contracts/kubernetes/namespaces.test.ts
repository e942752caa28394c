import { describe, expect, test } from "vitest";
import { eventually, expectCode, expectStatus, type Loose } from "./client.ts";
import { configMap, fresh, useCluster } from "./fixture.ts";

const fixture = useCluster();
const path = (name: string, rest = ""): string => `/api/v1/namespaces/${name}${rest}`;

async function create(): Promise<Loose> {
  return expectCode(await fixture.client.post("/api/v1/namespaces", { metadata: { name: fresh("ns") } }), 201).body;
}

describe("namespaces", () => {
  test.each(["default", "kube-system", "kube-public", "kube-node-lease"])(
    "%s is there from the start",
    async (name) => {
      const { body } = expectCode(await fixture.client.get(path(name)), 200);
      expect(body.status.phase).toBe("Active");
    },
  );

  test("are active, named by a label and held by a finalizer", async () => {
    const { metadata, spec, status } = await create();
    expect(status).toEqual({ phase: "Active" });
    expect(spec).toEqual({ finalizers: ["kubernetes"] });
    expect(metadata.labels).toEqual({ "kubernetes.io/metadata.name": metadata.name });
    await fixture.client.delete(path(metadata.name));
  });

  test("get a default ServiceAccount", async () => {
    const { metadata } = await create();
    await eventually(
      () => fixture.client.get(path(metadata.name, "/serviceaccounts/default")),
      (reply) => reply.code === 200,
    );
    await fixture.client.delete(path(metadata.name));
  });

  test("get the account again when somebody deletes it", async () => {
    const account = fixture.core("serviceaccounts/default");
    const before = (
      await eventually(
        () => fixture.client.get(account),
        (reply) => reply.code === 200,
      )
    ).body.metadata.uid;
    await fixture.client.delete(account);
    const after = await eventually(
      () => fixture.client.get(account),
      (reply) => reply.code === 200,
    );
    expect(after.body.metadata.uid).not.toBe(before);
  });

  test("take their content along", async () => {
    const { metadata } = await create();
    await fixture.client.post(path(metadata.name, "/configmaps"), configMap("one"));
    await fixture.client.post(path(metadata.name, "/secrets"), { metadata: { name: "two" } });
    const { body } = expectCode(await fixture.client.delete(path(metadata.name)), 200);
    expect(body).toMatchObject({
      kind: "Namespace",
      status: { phase: "Terminating" },
      metadata: { deletionTimestamp: expect.any(String) },
    });
    await eventually(
      () => fixture.client.get(path(metadata.name)),
      (reply) => reply.code === 404,
    );
    expectCode(await fixture.client.get(path(metadata.name, "/configmaps/one")), 404);
    expectCode(await fixture.client.get(path(metadata.name, "/secrets/two")), 404);
  });

  test("wait for content that finalizers hold, and take nothing new in", async () => {
    const { metadata } = await create();
    const held = path(metadata.name, "/configmaps/held");
    await fixture.client.post(
      path(metadata.name, "/configmaps"),
      configMap("held", { metadata: { finalizers: ["example.io/hold"] } }),
    );
    await fixture.client.delete(path(metadata.name));
    await eventually(
      () => fixture.client.get(held),
      (reply) => reply.body.metadata.deletionTimestamp !== undefined,
    );
    const status = expectStatus(
      await fixture.client.post(path(metadata.name, "/configmaps"), configMap("late")),
      403,
      "Forbidden",
    );
    expect(status.message).toContain(`because it is being terminated`);
    expect(status.details.causes).toContainEqual(expect.objectContaining({ reason: "NamespaceTerminating" }));
    expectCode(await fixture.client.get(path(metadata.name)), 200);
    await fixture.client.patch(held, "merge", { metadata: { finalizers: null } });
    await eventually(
      () => fixture.client.get(path(metadata.name)),
      (reply) => reply.code === 404,
    );
  });

  test.each(["default", "kube-system", "kube-public"])("%s may not be deleted", async (name) => {
    const status = expectStatus(await fixture.client.delete(path(name)), 403, "Forbidden");
    expect(status.message).toBe(`namespaces "${name}" is forbidden: this namespace may not be deleted`);
  });

  test.each(["Upper", "under_score", "a.b", "a".repeat(64)])("the name %j is refused", async (name) => {
    expectStatus(await fixture.client.post("/api/v1/namespaces", { metadata: { name } }), 422, "Invalid");
  });

  test("cannot lose their finalizer by an ordinary write", async () => {
    const { metadata } = await create();
    const { body } = await fixture.client.patch(path(metadata.name), "merge", { spec: { finalizers: [] } });
    expect(body.spec.finalizers).toEqual(["kubernetes"]);
    await fixture.client.delete(path(metadata.name));
  });

  test("cannot be deleted as a collection", async () => {
    expectCode(await fixture.client.delete("/api/v1/namespaces?labelSelector=never%3Dset"), 405);
  });
});
