import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { failure, json, scripted, status } from "../../test/contracts/kube-port/scripted-server.ts";
import type { KubeObject, ResourceDefinition } from "../resource.ts";

const Widget: ResourceDefinition = {
  group: "example.io",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Cluster",
};
const Gadget: ResourceDefinition = { ...Widget, kind: "Gadget", plural: "gadgets", scope: "Namespaced" };

const widget: KubeObject = {
  apiVersion: "example.io/v1",
  kind: "Widget",
  metadata: { name: "w1", uid: "u1", resourceVersion: "7" },
};

describe("requests", () => {
  test("get asks for one object below the server's own path, with the token", async () => {
    const { kube, seen } = await scripted((_, response) => json(response, 200, widget));
    expect(await kube.get(Widget, "w1")).toEqual(widget);
    expect(seen[0]?.url.pathname).toBe("/prefix/apis/example.io/v1/widgets/w1");
    expect(seen[0]?.headers.authorization).toBe("Bearer t0ken");
  });

  test("a missing object is undefined, a missing kind is not", async () => {
    const { kube } = await scripted((request, response) =>
      request.url.pathname.endsWith("widgets/w1")
        ? json(response, 404, status(404, "no w1", { name: "w1", kind: "widgets" }))
        : response.writeHead(404).end("404 page not found\n"),
    );
    expect(await kube.get(Widget, "w1")).toBeUndefined();
    const error = await failure(kube.get(Gadget, { namespace: "shop", name: "g" }));
    expect(error.kind).toBe("Unavailable");
    expect(error.message).toContain("serves no gadgets in example.io/v1; install its CustomResourceDefinition");
  });

  test("create, apply, replace, status and delete send what the API expects", async () => {
    const { kube, seen } = await scripted((_, response) => json(response, 200, widget));
    await kube.create(Widget, widget, "repo-sync-tick");
    await kube.apply(Widget, widget, "repo-sync-tick");
    await kube.replace(Widget, widget, "repo-sync-tick");
    await kube.replaceStatus(Widget, widget, "repo-sync-tick");
    await kube.remove(Widget, widget);
    const lines = seen.map(({ method, url }) => `${method} ${url.pathname.slice(7)}${url.search}`);
    const base = "/apis/example.io/v1/widgets";
    expect(lines).toEqual([
      `POST ${base}?fieldManager=openpitrix-repo-sync-tick`,
      `PATCH ${base}/w1?fieldManager=openpitrix-repo-sync-tick&force=true`,
      `PUT ${base}/w1?fieldManager=openpitrix-repo-sync-tick`,
      `PUT ${base}/w1/status?fieldManager=openpitrix-repo-sync-tick`,
      `DELETE ${base}/w1`,
    ]);
    expect(seen[1]?.headers["content-type"]).toBe("application/apply-patch+yaml");
    expect(JSON.parse(seen[4]?.body ?? "")).toMatchObject({ preconditions: { uid: "u1" } });
  });

  test.each(["", "..", "a/b", "a%2fb", "x".repeat(254)])("the name %j never leaves the process", async (name) => {
    const { kube, seen } = await scripted((_, response) => json(response, 200, widget));
    const object = { ...widget, metadata: { ...widget.metadata, name } };
    const calls = [kube.get(Widget, name), kube.create(Widget, object, "m"), kube.remove(Widget, object)];
    for (const call of calls) expect((await failure(call)).kind).toBe("Invalid");
    expect(seen).toEqual([]);
  });

  test("namespaced kinds need a namespace, cluster kinds ignore one", async () => {
    const { kube, seen } = await scripted((_, response) => json(response, 200, widget));
    expect((await failure(kube.get(Gadget, "g"))).message).toContain("Gadget lives in a namespace; say which");
    await kube.get(Widget, { name: "w1", namespace: "shop" });
    expect(seen[0]?.url.pathname).toBe("/prefix/apis/example.io/v1/widgets/w1");
  });

  test("a status without resourceVersion is refused before it overwrites somebody's", async () => {
    const { kube } = await scripted((_, response) => json(response, 200, widget));
    const error = await failure(kube.replaceStatus(Widget, { ...widget, metadata: { name: "w1" } }, "m"));
    expect(error.message).toContain("carries no resourceVersion");
  });
});

describe("errors", () => {
  test.each([
    [409, "Conflict"],
    [401, "Forbidden"],
    [403, "Forbidden"],
    [408, "Unavailable"],
    [429, "Unavailable"],
    [500, "Unavailable"],
    [503, "Unavailable"],
    [400, "Invalid"],
    [413, "Invalid"],
    [415, "Invalid"],
    [422, "Invalid"],
  ] as const)("HTTP %i is %s and names verb, object and the server's words", async (code, kind) => {
    const { kube } = await scripted((_, response) => json(response, code, status(code, "the server's words")));
    const error = await failure(kube.create(Widget, widget, "m"));
    expect(error.kind).toBe(kind);
    expect(error.message).toContain("create widgets/w1: the server's words");
    expect(error.message).toContain(`HTTP ${code}`);
  });

  test("Retry-After is kept, from the header or from the Status", async () => {
    const { kube } = await scripted((_, response, count) =>
      count === 1
        ? json(response.setHeader("retry-after", "3"), 429, status(429, "slow down"))
        : json(response, 503, status(503, "later", { retryAfterSeconds: 5 })),
    );
    expect((await failure(kube.get(Widget, "w1"))).retryAfterMs).toBe(3000);
    expect((await failure(kube.get(Widget, "w1"))).retryAfterMs).toBe(5000);
  });

  test("a write to an object deleted meanwhile is a conflict, to a missing namespace invalid", async () => {
    const { kube } = await scripted((request, response) =>
      request.method === "PUT"
        ? json(response, 404, status(404, "gone", { name: "w1", kind: "widgets" }))
        : json(response, 404, status(404, "no shop", { name: "shop", kind: "namespaces" })),
    );
    expect((await failure(kube.replaceStatus(Widget, widget, "m"))).kind).toBe("Conflict");
    const gadget = { ...widget, metadata: { name: "g", namespace: "shop" } };
    expect((await failure(kube.create(Gadget, gadget, "m"))).kind).toBe("Invalid");
  });

  test("deleting what is gone or was replaced is done", async () => {
    const { kube } = await scripted((_, response, count) =>
      count === 1
        ? json(response, 404, status(404, "gone", { name: "w1", kind: "widgets" }))
        : json(response, 409, status(409, "the UID in the precondition does not match")),
    );
    await kube.remove(Widget, widget);
    await kube.remove(Widget, widget);
  });

  test("no server, a slow server and a server that hangs up are Unavailable", async () => {
    const gone = await scripted(() => undefined);
    gone.close();
    const refused = await failure(gone.kube.get(Widget, "w1"));
    expect(refused.kind).toBe("Unavailable");
    expect(refused.message).toMatch(/get widgets\/w1: no answer from http:\/\/127\.0\.0\.1:\d+ \(.*ECONNREFUSED/);
    const slow = await scripted(() => undefined, { requestTimeoutMs: 50 });
    expect((await failure(slow.kube.get(Widget, "w1"))).message).toContain("timeout");
    const rude = await scripted((_, response) => response.destroy());
    expect((await failure(rude.kube.get(Widget, "w1"))).kind).toBe("Unavailable");
    const broken = await scripted((_, response) => {
      response.writeHead(200, { "content-length": "1000" }).write("{", () => response.destroy());
    });
    expect((await failure(broken.kube.get(Widget, "w1"))).message).toContain("broke off");
  });

  test("answers are unzipped and bounded, zipped or not", async () => {
    const big = { ...widget, spec: { text: "x".repeat(100_000) } };
    const { kube } = await scripted(
      (request, response) => {
        const zipped = request.url.pathname.endsWith("zipped");
        const bytes = zipped ? gzipSync(JSON.stringify(big)) : Buffer.from(JSON.stringify(big));
        response.writeHead(200, zipped ? { "content-encoding": "gzip" } : {}).end(bytes);
      },
      { maxAnswerBytes: 50_000 },
    );
    expect((await failure(kube.get(Widget, "zipped"))).kind).toBe("TooLarge");
    expect((await failure(kube.get(Widget, "plain"))).kind).toBe("TooLarge");
    const roomy = await scripted((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(JSON.stringify(big))),
    );
    expect(await roomy.kube.get(Widget, "w1")).toEqual(big);
  });

  test("a 401 reads the credentials anew and asks once more", async () => {
    const { kube, seen } = await scripted((_, response, count) =>
      count === 1 ? json(response, 401, status(401, "Unauthorized")) : json(response, 200, widget),
    );
    expect(await kube.get(Widget, "w1")).toEqual(widget);
    expect(seen).toHaveLength(2);
  });

  test("a kept-alive socket that the server closed meanwhile is no error", async () => {
    const { kube, seen } = await scripted((_, response, count) =>
      count === 2 ? response.destroy() : json(response, 200, widget),
    );
    await kube.get(Widget, "w1");
    expect(await kube.get(Widget, "w1")).toEqual(widget);
    expect(seen).toHaveLength(3);
  });
});

describe("list", () => {
  const item = (name: string) => ({ metadata: { name } });

  test("reads all pages and gives every item its kind", async () => {
    const { kube, seen } = await scripted((request, response) =>
      request.url.searchParams.get("continue") === "next"
        ? json(response, 200, { metadata: {}, items: [item("b")] })
        : json(response, 200, { metadata: { resourceVersion: "9", continue: "next" }, items: [item("a")] }),
    );
    const found = await kube.list(Widget, { labels: { app: "web", tier: "front" }, labelSelector: "x in (1,2)" });
    expect(found.map(({ metadata, kind }) => `${kind} ${metadata.name}`)).toEqual(["Widget a", "Widget b"]);
    expect(seen[0]?.url.searchParams.get("labelSelector")).toBe("app=web,tier=front,x in (1,2)");
    expect(seen[0]?.url.searchParams.get("limit")).toBe("500");
  });

  test("starts again when the server has dropped the list, and gives up after three", async () => {
    const dropped = status(410, "the continue token is too old");
    const { kube } = await scripted((request, response, count) => {
      if (!request.url.searchParams.has("continue")) {
        return json(response, 200, { metadata: { continue: "next" }, items: [item("a")] });
      }
      return count < 4 ? json(response, 410, dropped) : json(response, 200, { items: [item("b")] });
    });
    expect((await kube.list(Widget)).map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
    const hopeless = await scripted((_, response) => json(response, 410, dropped));
    expect((await failure(hopeless.kube.list(Widget))).kind).toBe("Unavailable");
    expect(hopeless.seen).toHaveLength(3);
  });

  test("asks for smaller pages where one is too large", async () => {
    const { kube, seen } = await scripted(
      (request, response) => {
        const limit = Number(request.url.searchParams.get("limit"));
        const text = "x".repeat(limit * 10);
        json(response, 200, { items: [{ ...item("a"), text }] });
      },
      { maxAnswerBytes: 2_000 },
    );
    expect(await kube.list(Widget)).toHaveLength(1);
    expect(seen.map(({ url }) => url.searchParams.get("limit"))).toEqual(["500", "63"]);
  });
});

describe("discovery", () => {
  const resources = [
    { name: "widgets", kind: "Widget", namespaced: false },
    { name: "widgets/status", kind: "Widget", namespaced: false },
    { name: "pods", kind: "Pod", namespaced: true },
  ];

  test("finds live objects of any kind by one discovery call per version", async () => {
    const { kube, seen } = await scripted((request, response) => {
      if (request.url.pathname.endsWith("/v1")) return json(response, 200, { resources });
      return json(response, 200, { kind: "X", metadata: { name: request.url.pathname.slice(7) } });
    });
    const of = (apiVersion: string, kind: string) => ({ apiVersion, kind, name: "n", namespace: "shop" });
    expect((await kube.getLive(of("v1", "Pod")))?.metadata.name).toBe("/api/v1/namespaces/shop/pods/n");
    expect((await kube.getLive(of("example.io/v1", "Widget")))?.metadata.name).toBe("/apis/example.io/v1/widgets/n");
    expect(await kube.getLive(of("v1", "Nothing"))).toBeUndefined();
    const asked = seen.filter(({ url }) => url.pathname.endsWith("/v1")).map(({ url }) => url.pathname);
    expect(asked).toEqual(["/prefix/api/v1", "/prefix/apis/example.io/v1"]);
  });
});
