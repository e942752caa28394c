import { beforeAll, describe, expect, test } from "vitest";
import { expectCode, expectStatus, type Loose } from "./client.ts";
import { configMap, deployment, fresh, useCluster } from "./fixture.ts";

const fixture = useCluster();
const set = fresh("set");
const names = ["a", "b", "c", "d", "e"].map((letter) => `${letter}-${set}`);
const selected = (more = ""): string => fixture.core(`configmaps?labelSelector=set%3D${set}${more}`);
const namesIn = (body: Loose): string[] => body.items.map((item: Loose) => item.metadata.name);

beforeAll(async () => {
  for (const [index, name] of names.entries()) {
    const labels = { set, index: String(index), ...(index < 2 ? { tier: "front" } : {}) };
    expectCode(await fixture.client.post(fixture.core("configmaps"), configMap(name, { metadata: { labels } })), 201);
  }
});

describe("list", () => {
  test("has kind, apiVersion, resourceVersion and items in order", async () => {
    const { body } = expectCode(await fixture.client.get(selected()), 200);
    expect(body).toMatchObject({
      kind: "ConfigMapList",
      apiVersion: "v1",
      metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
    });
    expect(namesIn(body)).toEqual(names);
  });

  test("of an empty collection has an empty list", async () => {
    const { body } = expectCode(await fixture.client.get(fixture.group("apps/v1", "statefulsets")), 200);
    expect(body.items).toEqual([]);
  });

  test("of all namespaces contains this one", async () => {
    const { body } = expectCode(await fixture.client.get(`/api/v1/configmaps?labelSelector=set%3D${set}`), 200);
    expect(namesIn(body)).toEqual(names);
  });

  test("of a namespace that does not exist is empty", async () => {
    const { body } = expectCode(await fixture.client.get("/api/v1/namespaces/nowhere/configmaps"), 200);
    expect(body.items).toEqual([]);
  });

  test.each([
    ["index=1", 1],
    ["index==1", 1],
    ["index!=1", 4],
    ["index in (0,1,2)", 3],
    ["index notin (0,1,2)", 2],
    ["tier", 2],
    ["!tier", 3],
    ["tier=front,index=0", 1],
    ["tier=back", 0],
    ["tier notin (back)", 5],
    ["index in (0), tier in (front, back)", 1],
  ])("the label selector %j picks %i", async (selector, count) => {
    const { body } = expectCode(await fixture.client.get(selected(`,${encodeURIComponent(selector)}`)), 200);
    expect(body.items).toHaveLength(count);
  });

  test.each(["a=b=c", "a in b", "=x", "a in (b", "!a=b"])("the label selector %j is refused", async (selector) => {
    expectStatus(
      await fixture.client.get(fixture.core(`configmaps?labelSelector=${encodeURIComponent(selector)}`)),
      400,
      "BadRequest",
    );
  });

  test.each([
    [(name: string) => `metadata.name=${name}`, 1],
    [(name: string) => `metadata.name==${name}`, 1],
    [(name: string) => `metadata.name!=${name}`, 4],
    [() => `metadata.namespace=${fixture.namespace}`, 5],
    [() => "metadata.namespace=other", 0],
  ])("field selector %# picks %i", async (selector, count) => {
    const text = encodeURIComponent(selector(names[0] ?? ""));
    const { body } = expectCode(await fixture.client.get(selected(`&fieldSelector=${text}`)), 200);
    expect(body.items).toHaveLength(count);
  });

  test.each([
    ["configmaps", '"data.key" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    ["pods", "field label not supported: data.key"],
  ])("%s cannot be selected by a field that they do not offer", async (plural, message) => {
    const reply = await fixture.client.get(fixture.core(`${plural}?fieldSelector=data.key%3Dx`));
    expect(expectStatus(reply, 400, "BadRequest").message).toBe(message);
  });

  test.each([
    ["secrets", "type=Opaque"],
    ["events", "involvedObject.kind=Pod,reason!=x"],
    ["pods", "status.phase=Running,spec.nodeName="],
    ["services", "spec.type=ClusterIP"],
  ])("%s can be selected by %s", async (plural, selector) => {
    expectCode(await fixture.client.get(fixture.core(`${plural}?fieldSelector=${encodeURIComponent(selector)}`)), 200);
  });

  test("secrets are picked by their type", async () => {
    await fixture.client.post(fixture.core("secrets"), { metadata: { name: "plain", labels: { set } } });
    await fixture.client.post(fixture.core("secrets"), {
      metadata: { name: "typed", labels: { set } },
      type: "example.io/x",
    });
    const path = fixture.core(`secrets?labelSelector=set%3D${set}&fieldSelector=type%3Dexample.io%2Fx`);
    expect(namesIn((await fixture.client.get(path)).body)).toEqual(["typed"]);
  });

  test("namespaces are picked by their phase", async () => {
    const { body } = expectCode(
      await fixture.client.get("/api/v1/namespaces?fieldSelector=status.phase%3DActive"),
      200,
    );
    expect(namesIn(body)).toContain("default");
  });
});

describe("paging", () => {
  test("walks through a collection without gaps or repeats", async () => {
    const seen: string[] = [];
    let token = "";
    for (let page = 0; page < 10; page += 1) {
      const { body } = expectCode(await fixture.client.get(selected(`&limit=2&continue=${token}`)), 200);
      seen.push(...namesIn(body));
      token = body.metadata.continue ?? "";
      if (token === "") break;
    }
    expect(seen).toEqual(names);
  });

  test("keeps the resourceVersion of the first page, and its state", async () => {
    const first = (await fixture.client.get(selected("&limit=2"))).body;
    const late = `zz-${fresh()}`;
    await fixture.client.post(fixture.core("configmaps"), configMap(late, { metadata: { labels: { set } } }));
    const second = (await fixture.client.get(selected(`&limit=9&continue=${first.metadata.continue}`))).body;
    await fixture.client.delete(fixture.core(`configmaps/${late}`));
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    expect(namesIn(second)).not.toContain(late);
  });

  test("counts what remains when nothing is selected", async () => {
    const { body } = expectCode(await fixture.client.get(fixture.core("configmaps?limit=2")), 200);
    expect(body.metadata.remainingItemCount).toBeGreaterThanOrEqual(3);
  });

  test("a limit beyond the collection gives no continue", async () => {
    const { body } = await fixture.client.get(selected("&limit=100"));
    expect(body.metadata.continue ?? "").toBe("");
  });

  test("a token that is none is refused", async () => {
    expectStatus(await fixture.client.get(selected("&limit=2&continue=nonsense")), 400, "BadRequest");
  });
});

describe("resourceVersion of a list", () => {
  test("0 is answered", async () => {
    expectCode(await fixture.client.get(selected("&resourceVersion=0")), 200);
  });

  test("of the future is refused with a retry", async () => {
    const status = expectStatus(await fixture.client.get(selected("&resourceVersion=99999999999")), 504, "Timeout");
    expect(status.message).toContain("Too large resource version");
    expect(status.details.causes[0].reason).toBe("ResourceVersionTooLarge");
  });

  test("Exact shows the past", async () => {
    const before = (await fixture.client.get(selected())).body.metadata.resourceVersion;
    const late = `zz-${fresh()}`;
    await fixture.client.post(fixture.core("configmaps"), configMap(late, { metadata: { labels: { set } } }));
    const { body } = expectCode(
      await fixture.client.get(selected(`&resourceVersion=${before}&resourceVersionMatch=Exact`)),
      200,
    );
    await fixture.client.delete(fixture.core(`configmaps/${late}`));
    expect(namesIn(body)).toEqual(names);
    expect(body.metadata.resourceVersion).toBe(before);
  });

  test("NotOlderThan is at least that new", async () => {
    const { body } = await fixture.client.get(selected());
    const again = expectCode(
      await fixture.client.get(
        selected(`&resourceVersion=${body.metadata.resourceVersion}&resourceVersionMatch=NotOlderThan`),
      ),
      200,
    );
    expect(Number(again.body.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(body.metadata.resourceVersion));
  });

  test.each([
    "resourceVersionMatch=Exact",
    "resourceVersion=0&resourceVersionMatch=Exact",
    "resourceVersion=1&resourceVersionMatch=Other",
  ])("%s is refused", async (query) => {
    expect([400, 422]).toContain((await fixture.client.get(selected(`&${query}`))).code);
  });
});

const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" };
const partial = { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json" };
const partialList = { accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json" };

describe("other forms", () => {
  test("a Table has columns and rows with metadata", async () => {
    const { body } = expectCode(await fixture.client.get(selected(), table), 200);
    expect(body).toMatchObject({ kind: "Table", apiVersion: "meta.k8s.io/v1" });
    expect(body.columnDefinitions.map((column: Loose) => column.name)).toEqual(["Name", "Data", "Age"]);
    expect(body.rows[0].cells.slice(0, 2)).toEqual([names[0], 1]);
    expect(body.rows[0].object).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: names[0] } });
  });

  test("includeObject=Object brings whole objects, None none", async () => {
    const whole = (await fixture.client.get(selected("&includeObject=Object"), table)).body;
    expect(whole.rows[0].object.data).toEqual({ key: "value" });
    const none = (await fixture.client.get(selected("&includeObject=None"), table)).body;
    expect(none.rows[0].object ?? null).toBeNull();
  });

  test("one object as a Table has one row", async () => {
    const { body } = expectCode(await fixture.client.get(fixture.core(`configmaps/${names[0]}`), table), 200);
    expect(body.rows).toHaveLength(1);
  });

  test.each([
    ["deployments", ["Name", "Ready", "Up-to-date", "Available", "Age", "Containers", "Images", "Selector"]],
    ["statefulsets", ["Name", "Ready", "Age", "Containers", "Images"]],
    ["replicasets", ["Name", "Desired", "Current", "Ready", "Age", "Containers", "Images", "Selector"]],
  ])("the columns of %s are those of kubectl", async (plural, columns) => {
    const { body } = expectCode(await fixture.client.get(fixture.group("apps/v1", plural), table), 200);
    expect(body.columnDefinitions.map((column: Loose) => column.name)).toEqual(columns);
  });

  test.each([
    ["pods", ["Name", "Ready", "Status", "Restarts", "Age", "IP", "Node", "Nominated Node", "Readiness Gates"]],
    ["services", ["Name", "Type", "Cluster-IP", "External-IP", "Port(s)", "Age", "Selector"]],
    ["secrets", ["Name", "Type", "Data", "Age"]],
    ["serviceaccounts", ["Name", "Secrets", "Age"]],
  ])("the columns of %s are those of kubectl too", async (plural, columns) => {
    const { body } = expectCode(await fixture.client.get(fixture.core(plural), table), 200);
    expect(body.columnDefinitions.map((column: Loose) => column.name)).toEqual(columns);
  });

  test("a deployment's cells show its readiness", async () => {
    const name = fresh();
    await fixture.client.post(fixture.group("apps/v1", "deployments"), deployment(name));
    const { body } = await fixture.client.get(fixture.group("apps/v1", `deployments/${name}`), table);
    expect(body.rows[0].cells[1]).toMatch(/^\d\/1$/);
  });

  test("a partial object has metadata only", async () => {
    const { body } = expectCode(await fixture.client.get(fixture.core(`configmaps/${names[0]}`), partial), 200);
    expect(body).toMatchObject({
      kind: "PartialObjectMetadata",
      apiVersion: "meta.k8s.io/v1",
      metadata: { name: names[0] },
    });
    expect(body).not.toHaveProperty("data");
  });

  test("a partial list has metadata only", async () => {
    const { body } = expectCode(await fixture.client.get(selected(), partialList), 200);
    expect(body.kind).toBe("PartialObjectMetadataList");
    expect(namesIn(body)).toEqual(names);
    expect(body.items[0]).not.toHaveProperty("data");
  });

  test("YAML is answered when asked for", async () => {
    const reply = expectCode(
      await fixture.client.get(fixture.core(`configmaps/${names[0]}`), { accept: "application/yaml" }),
      200,
    );
    expect(reply.headers["content-type"]).toContain("yaml");
    expect(reply.text).toContain("kind: ConfigMap");
  });

  test("what cannot be produced is not acceptable", async () => {
    expectStatus(await fixture.client.get(selected(), { accept: "text/html" }), 406, "NotAcceptable");
  });
});
