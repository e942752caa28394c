import { describe, expect, test } from "vitest";
import { expectCode, type Loose } from "./client.ts";
import { configMap, fresh, useCluster } from "./fixture.ts";

const fixture = useCluster();
const maps = (rest = ""): string => fixture.core(`configmaps${rest}`);
const create = async (name: string, metadata = {}): Promise<Loose> =>
  expectCode(await fixture.client.post(maps(), configMap(name, { metadata })), 201).body;
const now = async (): Promise<string> => (await fixture.client.get(maps())).body.metadata.resourceVersion;
const only = (name: string): string => `fieldSelector=metadata.name%3D${name}`;

describe("watch", () => {
  test("without a resourceVersion begins with what is there", async () => {
    const name = fresh();
    await create(name);
    const watch = await fixture.client.watch(maps(`?watch=1&${only(name)}`));
    expect(await watch.next()).toMatchObject({
      type: "ADDED",
      object: { kind: "ConfigMap", apiVersion: "v1", metadata: { name } },
    });
    watch.stop();
  });

  test("with resourceVersion 0 begins with what is there", async () => {
    const name = fresh();
    await create(name);
    const watch = await fixture.client.watch(maps(`?watch=1&resourceVersion=0&${only(name)}`));
    expect(await watch.next()).toMatchObject({ type: "ADDED", object: { metadata: { name } } });
    watch.stop();
  });

  test("tells of creation, change and removal in order", async () => {
    const name = fresh();
    const watch = await fixture.client.watch(maps(`?watch=true&resourceVersion=${await now()}&${only(name)}`));
    await create(name);
    await fixture.client.patch(maps(`/${name}`), "merge", { data: { a: "b" } });
    await fixture.client.delete(maps(`/${name}`));
    const events = [await watch.next(), await watch.next(), await watch.next()];
    watch.stop();
    expect(events.map((event) => event.type)).toEqual(["ADDED", "MODIFIED", "DELETED"]);
    const revisions = events.map((event) => Number(event.object.metadata.resourceVersion));
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
    expect(new Set(revisions).size).toBe(3);
    expect(events[2].object.data).toEqual({ key: "value", a: "b" });
  });

  test("replays what happened since a resourceVersion", async () => {
    const since = await now();
    const names = [fresh(), fresh(), fresh()];
    for (const name of names) await create(name);
    const watch = await fixture.client.watch(maps(`?watch=1&resourceVersion=${since}`));
    const seen = [await watch.next(), await watch.next(), await watch.next()];
    watch.stop();
    expect(seen.map((event) => event.object.metadata.name)).toEqual(names);
  });

  test("resumes after an event without repeats or gaps", async () => {
    const name = fresh();
    const created = await create(name);
    await fixture.client.patch(maps(`/${name}`), "merge", { data: { a: "1" } });
    const watch = await fixture.client.watch(
      maps(`?watch=1&resourceVersion=${created.metadata.resourceVersion}&${only(name)}`),
    );
    expect(await watch.next()).toMatchObject({ type: "MODIFIED", object: { data: { a: "1" } } });
    watch.stop();
  });

  test("an object that comes into the selection is ADDED, one that leaves it DELETED", async () => {
    const name = fresh();
    await create(name);
    const watch = await fixture.client.watch(
      maps(`?watch=1&resourceVersion=${await now()}&labelSelector=in%3D${name}`),
    );
    await fixture.client.patch(maps(`/${name}`), "merge", { metadata: { labels: { in: name } } });
    await fixture.client.patch(maps(`/${name}`), "merge", { metadata: { labels: { in: null } } });
    expect(await watch.next()).toMatchObject({ type: "ADDED", object: { metadata: { labels: { in: name } } } });
    expect((await watch.next()).type).toBe("DELETED");
    watch.stop();
  });

  test("of one namespace is silent about others", async () => {
    const name = fresh();
    const watch = await fixture.client.watch(maps(`?watch=1&resourceVersion=${await now()}`));
    await fixture.client.post("/api/v1/namespaces/default/configmaps", configMap(name));
    await create(`mine-${name}`);
    expect((await watch.next()).object.metadata.name).toBe(`mine-${name}`);
    watch.stop();
    await fixture.client.delete(`/api/v1/namespaces/default/configmaps/${name}`);
  });

  test("ends in time with timeoutSeconds", async () => {
    const watch = await fixture.client.watch(maps(`?watch=1&resourceVersion=${await now()}&timeoutSeconds=1`));
    expect(await watch.rest()).toEqual([]);
  });

  test("sends a bookmark before it ends when bookmarks are allowed", async () => {
    const watch = await fixture.client.watch(
      maps(`?watch=1&resourceVersion=${await now()}&timeoutSeconds=1&allowWatchBookmarks=true`),
    );
    const events = await watch.rest();
    for (const event of events)
      expect(event).toMatchObject({
        type: "BOOKMARK",
        object: { kind: "ConfigMap", metadata: { resourceVersion: expect.any(String) } },
      });
  });

  test("sendInitialEvents streams what is there, then a marked bookmark", async () => {
    const name = fresh();
    await create(name);
    const query = `?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&${only(name)}`;
    const watch = await fixture.client.watch(maps(query));
    expect(await watch.next()).toMatchObject({ type: "ADDED", object: { metadata: { name } } });
    const bookmark = await watch.next();
    watch.stop();
    expect(bookmark.type).toBe("BOOKMARK");
    expect(bookmark.object.metadata.annotations).toEqual({ "k8s.io/initial-events-end": "true" });
    expect(Number(bookmark.object.metadata.resourceVersion)).toBeGreaterThan(0);
  });

  test.each([
    "sendInitialEvents=true",
    "resourceVersionMatch=NotOlderThan",
    "sendInitialEvents=true&resourceVersionMatch=Exact",
  ])("%s alone is refused", async (query) => {
    expect([400, 422]).toContain((await fixture.client.get(maps(`?watch=1&${query}`))).code);
  });

  test("as a Table sends rows and names the columns once", async () => {
    const name = fresh();
    const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
    const watch = await fixture.client.watch(maps(`?watch=1&resourceVersion=${await now()}&${only(name)}`), table);
    await create(name);
    await fixture.client.patch(maps(`/${name}`), "merge", { data: { a: "b" } });
    const [first, second] = [await watch.next(), await watch.next()];
    watch.stop();
    expect(first.object).toMatchObject({ kind: "Table", rows: [{ cells: [name, 1, expect.any(String)] }] });
    expect(first.object.columnDefinitions).toHaveLength(3);
    expect(second.object.columnDefinitions ?? null).toBeNull();
  });

  test("of metadata sends partial objects", async () => {
    const name = fresh();
    const accept = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    const watch = await fixture.client.watch(maps(`?watch=1&resourceVersion=${await now()}&${only(name)}`), { accept });
    await create(name);
    const { object } = await watch.next();
    watch.stop();
    expect(object).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name } });
    expect(object).not.toHaveProperty("data");
  });

  test("reaches twenty watchers", async () => {
    const name = fresh();
    const since = await now();
    const watches = await Promise.all(
      Array.from({ length: 20 }, () => fixture.client.watch(maps(`?watch=1&resourceVersion=${since}&${only(name)}`))),
    );
    await create(name);
    const events = await Promise.all(watches.map((watch) => watch.next()));
    for (const watch of watches) watch.stop();
    expect(events.filter((event) => event.type === "ADDED" && event.object.metadata.name === name)).toHaveLength(20);
  });

  test("the old /watch/ path works", async () => {
    const name = fresh();
    await create(name);
    const watch = await fixture.client.watch(`/api/v1/watch/namespaces/${fixture.namespace}/configmaps?${only(name)}`);
    expect((await watch.next()).object.metadata.name).toBe(name);
    watch.stop();
  });

  test("a status change of a workload arrives as MODIFIED", async () => {
    const name = fresh();
    await fixture.client.post(fixture.core("pods"), {
      metadata: { name },
      spec: { containers: [{ name: "c", image: "i" }] },
    });
    const list = (await fixture.client.get(fixture.core("pods"))).body.metadata.resourceVersion;
    const watch = await fixture.client.watch(fixture.core(`pods?watch=1&resourceVersion=${list}&${only(name)}`));
    await fixture.client.patch(fixture.core(`pods/${name}/status`), "merge", { status: { message: "hello" } });
    const event = await watch.until((one) => one.object.status.message === "hello");
    watch.stop();
    expect(event.type).toBe("MODIFIED");
  });
});
