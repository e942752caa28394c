import { describe, expect, test } from "vitest";
import { expectCode, expectStatus, type Loose } from "./client.ts";
import { configMap, define, deployment, fresh, useCluster } from "./fixture.ts";

const fixture = useCluster();
const maps = (rest = ""): string => fixture.core(`configmaps${rest}`);
const deployments = (rest = ""): string => fixture.group("apps/v1", `deployments${rest}`);

async function map(data = {}): Promise<string> {
  const name = fresh();
  expectCode(await fixture.client.post(maps(), configMap(name, { data: { key: "value", ...data } })), 201);
  return maps(`/${name}`);
}

describe("merge patch", () => {
  test("adds, changes and removes members", async () => {
    const path = await map({ gone: "x" });
    const { body } = expectCode(
      await fixture.client.patch(path, "merge", { data: { key: "new", added: "y", gone: null } }),
      200,
    );
    expect(body.data).toEqual({ key: "new", added: "y" });
  });

  test("checks a resourceVersion that it names", async () => {
    const path = await map();
    const reply = await fixture.client.patch(path, "merge", { metadata: { resourceVersion: "1" }, data: { a: "b" } });
    expectStatus(reply, 409, "Conflict");
  });

  test("of nothing is not found", async () => {
    expectStatus(await fixture.client.patch(maps("/nothing"), "merge", {}), 404, "NotFound");
  });

  test("that changes nothing keeps the resourceVersion", async () => {
    const path = await map();
    const before = (await fixture.client.get(path)).body.metadata.resourceVersion;
    expect((await fixture.client.patch(path, "merge", { data: { key: "value" } })).body.metadata.resourceVersion).toBe(
      before,
    );
  });

  test("cannot rename", async () => {
    expectCode(await fixture.client.patch(await map(), "merge", { metadata: { name: "other" } }), 400);
  });

  test("that is no JSON is refused", async () => {
    expectStatus(await fixture.client.patch(await map(), "merge", "{nonsense"), 400, "BadRequest");
  });

  test("replaces whole lists", async () => {
    const name = fresh();
    await fixture.client.post(deployments(), deployment(name));
    const containers = [{ name: "other", image: "registry.example/other:1" }];
    const { body } = expectCode(
      await fixture.client.patch(deployments(`/${name}`), "merge", { spec: { template: { spec: { containers } } } }),
      200,
    );
    expect(body.spec.template.spec.containers.map((one: Loose) => one.name)).toEqual(["other"]);
  });
});

describe("JSON patch", () => {
  test("add, replace, remove, copy and move", async () => {
    const path = await map({ two: "2" });
    const operations = [
      { op: "add", path: "/data/added", value: "a" },
      { op: "replace", path: "/data/key", value: "b" },
      { op: "copy", from: "/data/two", path: "/data/copied" },
      { op: "move", from: "/data/two", path: "/data/moved" },
      { op: "remove", path: "/data/copied" },
    ];
    const { body } = expectCode(await fixture.client.patch(path, "json", operations), 200);
    expect(body.data).toEqual({ added: "a", key: "b", moved: "2" });
  });

  test("escapes in paths are understood", async () => {
    const path = await map();
    const operations = [
      { op: "add", path: "/metadata/annotations", value: {} },
      { op: "add", path: "/metadata/annotations/example.io~1a", value: "x" },
    ];
    const { body } = expectCode(await fixture.client.patch(path, "json", operations), 200);
    expect(body.metadata.annotations["example.io/a"]).toBe("x");
  });

  test("a test that holds lets it pass, one that fails stops it", async () => {
    const path = await map();
    expectCode(await fixture.client.patch(path, "json", [{ op: "test", path: "/data/key", value: "value" }]), 200);
    const failed = await fixture.client.patch(path, "json", [
      { op: "add", path: "/data/never", value: "x" },
      { op: "test", path: "/data/key", value: "other" },
    ]);
    expectStatus(failed, 422, "Invalid");
    expect((await fixture.client.get(path)).body.data).not.toHaveProperty("never");
  });

  test("removing what is not there is refused", async () => {
    expectStatus(
      await fixture.client.patch(await map(), "json", [{ op: "remove", path: "/data/none" }]),
      422,
      "Invalid",
    );
  });

  test("that is no list is refused", async () => {
    expectCode(await fixture.client.patch(await map(), "json", { op: "add" }), 400);
  });
});

describe("strategic merge patch", () => {
  async function twoContainers(): Promise<string> {
    const name = fresh();
    const wanted = deployment(name);
    wanted.spec.template.spec.containers.push({
      name: "side",
      image: "registry.example/side:1",
      env: [{ name: "A", value: "1" }],
    });
    expectCode(await fixture.client.post(deployments(), wanted), 201);
    return deployments(`/${name}`);
  }
  const containers = (list: Loose[], more = {}): Loose => ({
    spec: { template: { spec: { containers: list, ...more } } },
  });

  test("merges lists by their keys", async () => {
    const path = await twoContainers();
    const { body } = expectCode(
      await fixture.client.patch(path, "strategic", containers([{ name: "side", image: "registry.example/side:2" }])),
      200,
    );
    const images = Object.fromEntries(body.spec.template.spec.containers.map((one: Loose) => [one.name, one.image]));
    expect(images).toEqual({ main: "registry.example/app:1", side: "registry.example/side:2" });
  });

  test("merges nested lists by their keys", async () => {
    const path = await twoContainers();
    const { body } = await fixture.client.patch(
      path,
      "strategic",
      containers([{ name: "side", env: [{ name: "B", value: "2" }] }]),
    );
    const side = body.spec.template.spec.containers.find((one: Loose) => one.name === "side");
    expect(side.env.map((one: Loose) => one.name).toSorted()).toEqual(["A", "B"]);
  });

  test("$patch: delete removes one item", async () => {
    const path = await twoContainers();
    const { body } = expectCode(
      await fixture.client.patch(path, "strategic", containers([{ name: "side", $patch: "delete" }])),
      200,
    );
    expect(body.spec.template.spec.containers.map((one: Loose) => one.name)).toEqual(["main"]);
  });

  test("$patch: replace replaces a list", async () => {
    const path = await twoContainers();
    const list = [{ $patch: "replace" }, { name: "only", image: "registry.example/only:1" }];
    const { body } = expectCode(await fixture.client.patch(path, "strategic", containers(list)), 200);
    expect(body.spec.template.spec.containers.map((one: Loose) => one.name)).toEqual(["only"]);
  });

  test("null removes a member", async () => {
    const path = await twoContainers();
    await fixture.client.patch(path, "strategic", { metadata: { labels: { a: "1", b: "2" } } });
    const { body } = await fixture.client.patch(path, "strategic", { metadata: { labels: { a: null } } });
    expect(body.metadata.labels).toEqual({ b: "2" });
  });

  test("is not there for custom kinds", async () => {
    const kind = await define(fixture);
    await fixture.client.post(kind.path(), kind.object("one"));
    expectStatus(await fixture.client.patch(kind.path("/one"), "strategic", {}), 415, "UnsupportedMediaType");
  });
});

describe("any patch", () => {
  test("of another media type is refused", async () => {
    const reply = await fixture.client.send("PATCH", await map(), { body: {}, type: "application/json" });
    expectStatus(reply, 415, "UnsupportedMediaType");
  });

  test("with dryRun=All stores nothing", async () => {
    const path = await map();
    const { body } = expectCode(await fixture.client.patch(`${path}?dryRun=All`, "merge", { data: { dry: "x" } }), 200);
    expect(body.data.dry).toBe("x");
    expect((await fixture.client.get(path)).body.data).not.toHaveProperty("dry");
  });

  test("force belongs to apply only", async () => {
    expectCode(await fixture.client.patch(`${await map()}?force=true`, "merge", {}), 422);
  });

  test("cannot change uid or creationTimestamp", async () => {
    const path = await map();
    const before = (await fixture.client.get(path)).body.metadata;
    await fixture.client.patch(path, "merge", { metadata: { creationTimestamp: "2001-01-01T00:00:00Z" } });
    expect((await fixture.client.get(path)).body.metadata.creationTimestamp).toBe(before.creationTimestamp);
    expectStatus(await fixture.client.patch(path, "merge", { metadata: { uid: "other" } }), 422, "Invalid");
  });
});
