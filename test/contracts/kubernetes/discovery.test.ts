import { describe, expect, test } from "vitest";
import { eventually, expectCode, expectStatus, type Loose } from "./client.ts";
import { define, useCluster } from "./fixture.ts";

const fixture = useCluster();
const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

const groups = [
  "apps",
  "batch",
  "autoscaling",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "storage.k8s.io",
  "apiextensions.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
  "events.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "admissionregistration.k8s.io",
  "scheduling.k8s.io",
];

describe("discovery", () => {
  test.each(["/healthz", "/livez", "/readyz"])("%s says ok without credentials", async (path) => {
    const reply = await fixture.client.send("GET", path, { token: null });
    expect([reply.code, reply.text]).toEqual([200, "ok"]);
  });

  test("/version names a Kubernetes release", async () => {
    const { body } = expectCode(await fixture.client.get("/version"), 200);
    expect(body).toMatchObject({ major: "1", gitVersion: expect.stringMatching(/^v1\.\d+\.\d+/) });
  });

  test("/api lists v1", async () => {
    const { body } = expectCode(await fixture.client.get("/api"), 200);
    expect(body).toMatchObject({ kind: "APIVersions", versions: ["v1"] });
  });

  test.each(groups)("/apis lists the group %s with a preferred version", async (name) => {
    const { body } = expectCode(await fixture.client.get("/apis"), 200);
    const group = body.groups.find((one: Loose) => one.name === name);
    expect(group.versions).toContainEqual(group.preferredVersion);
  });

  test("/apis/apps describes one group", async () => {
    const { body } = expectCode(await fixture.client.get("/apis/apps"), 200);
    expect(body).toMatchObject({
      kind: "APIGroup",
      apiVersion: "v1",
      name: "apps",
      preferredVersion: { groupVersion: "apps/v1", version: "v1" },
    });
  });

  test("/api/v1 lists resources with verbs, short names and subresources", async () => {
    const { body } = expectCode(await fixture.client.get("/api/v1"), 200);
    expect(body).toMatchObject({ kind: "APIResourceList", groupVersion: "v1" });
    const names = body.resources.map((one: Loose) => one.name);
    expect(names).toEqual(
      expect.arrayContaining(["pods", "pods/status", "namespaces/finalize", "serviceaccounts/token"]),
    );
    const maps = body.resources.find((one: Loose) => one.name === "configmaps");
    expect(maps).toMatchObject({ kind: "ConfigMap", singularName: "configmap", namespaced: true, shortNames: ["cm"] });
    expect(maps.verbs).toEqual(
      expect.arrayContaining(["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]),
    );
  });

  test("/apis/apps/v1 has the scale of deployments in another group", async () => {
    const { body } = expectCode(await fixture.client.get("/apis/apps/v1"), 200);
    const scale = body.resources.find((one: Loose) => one.name === "deployments/scale");
    expect(scale).toMatchObject({ group: "autoscaling", version: "v1", kind: "Scale" });
  });

  test.each(["/apis/nothing.example", "/apis/apps/v9", "/api/v2", "/nothing"])("%s is not found", async (path) => {
    expectCode(await fixture.client.get(path), 404);
  });

  test.each(["/api", "/apis"])("%s answers in the aggregated form when asked", async (path) => {
    const reply = expectCode(await fixture.client.get(path, { accept: `${aggregated},application/json` }), 200);
    expect(reply.headers["content-type"]).toContain("as=APIGroupDiscoveryList");
    expect(reply.body).toMatchObject({ kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2" });
  });

  test("aggregated discovery names kind, scope and subresources", async () => {
    const { body } = await fixture.client.get("/apis", { accept: aggregated });
    const apps = body.items.find((one: Loose) => one.metadata.name === "apps");
    const deployments = apps.versions[0].resources.find((one: Loose) => one.resource === "deployments");
    expect(deployments).toMatchObject({
      responseKind: { group: "", version: "", kind: "Deployment" },
      scope: "Namespaced",
      singularResource: "deployment",
    });
    expect(deployments.subresources).toContainEqual(
      expect.objectContaining({
        subresource: "scale",
        responseKind: { group: "autoscaling", version: "v1", kind: "Scale" },
      }),
    );
    expect(deployments.subresources.map((one: Loose) => one.subresource)).toEqual(
      expect.arrayContaining(["status", "scale"]),
    );
  });

  test("a new definition appears in both forms", async () => {
    const kind = await define(fixture);
    const named = `"${kind.plural}"`;
    const old = await eventually(
      () => fixture.client.get(`/apis/${kind.apiVersion}`),
      ({ text }) => text.includes(named),
    );
    expect(old.body.resources.map((one: Loose) => one.name)).toContain(kind.plural);
    const { body } = await eventually(
      () => fixture.client.get("/apis", { accept: aggregated }),
      ({ text }) => text.includes(named),
    );
    const group = body.items.find((one: Loose) => one.metadata.name === kind.apiVersion.split("/")[0]);
    expect(JSON.stringify(group)).toContain(kind.plural);
  });

  test("/openapi/v3 lists documents, and each can be read", async () => {
    const { text } = expectCode(await fixture.client.get("/openapi/v3"), 200);
    const path = JSON.parse(text).paths["apis/apps/v1"].serverRelativeURL;
    const document = expectCode(await fixture.client.get(path), 200).body;
    expect(document.openapi).toMatch(/^3\./);
    expect(document.components.schemas).toHaveProperty(["io.k8s.api.apps.v1.Deployment"]);
  });

  test("/openapi/v3 describes the kinds of a definition", async () => {
    const kind = await define(fixture, { spec: { size: { type: "integer" } } });
    const { text } = await eventually(
      () => fixture.client.get(`/openapi/v3/apis/${kind.apiVersion}`),
      (reply) => reply.code === 200 && reply.text.includes(`"kind":"${kind.kind}"`),
    );
    const schemas = JSON.stringify(JSON.parse(text).components.schemas);
    expect(schemas).toContain('"size"');
  });

  test("/openapi/v2 is a swagger document", async () => {
    const { body } = expectCode(await fixture.client.get("/openapi/v2", { accept: "application/json" }), 200);
    expect(body.swagger).toBe("2.0");
    expect(body.definitions).toHaveProperty(["io.k8s.api.core.v1.Pod"]);
  });

  test("an unknown resource of a known version is not found", async () => {
    expectCode(await fixture.client.get("/api/v1/unicorns"), 404);
  });

  test("a cluster-scoped resource has no namespace in its path", async () => {
    expectCode(await fixture.client.get(fixture.core("persistentvolumes")), 404);
  });

  test("a method that a path does not have is refused", async () => {
    expectStatus(await fixture.client.send("PUT", "/api/v1/namespaces", { body: {} }), 405, "MethodNotAllowed");
  });
});
