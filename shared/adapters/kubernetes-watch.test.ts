import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { failure, json, scripted, status } from "../../test/contracts/kube-port/scripted-server.ts";
import type { ResourceDefinition } from "../resource.ts";
import type { Kube } from "./kubernetes.ts";
import type { WatchOptions } from "./kubernetes-watch.ts";

const Widget: ResourceDefinition = {
  group: "example.io",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Cluster",
};

function widget(name: string, resourceVersion: number, uid = `uid-${name}`) {
  const metadata = { name, uid, resourceVersion: String(resourceVersion) };
  return { apiVersion: "example.io/v1", kind: "Widget", metadata };
}

function line(type: string, object: object): string {
  return `${JSON.stringify({ type, object })}\n`;
}

function list(response: ServerResponse, resourceVersion: number, items: readonly object[]): void {
  json(response, 200, { metadata: { resourceVersion: String(resourceVersion) }, items });
}

/** The first `count` events, as `TYPE name@version`. */
async function take(kube: Kube, count: number, options: WatchOptions = {}): Promise<string[]> {
  const events: string[] = [];
  for await (const { type, object } of kube.watch(Widget, options)) {
    events.push(`${type} ${object.metadata.name}@${object.metadata.resourceVersion}`);
    if (events.length === count) break;
  }
  return events;
}

describe("watch", () => {
  test("reports what exists, then every change, and asks for bookmarks", async () => {
    const { kube, seen } = await scripted(({ url }, response) => {
      if (!url.searchParams.has("watch")) return list(response, 5, [widget("a", 3)]);
      response.write(line("ADDED", widget("b", 6)));
      response.write(line("MODIFIED", widget("a", 7)) + line("DELETED", widget("b", 8)));
    });
    expect(await take(kube, 4)).toEqual(["ADDED a@3", "ADDED b@6", "MODIFIED a@7", "DELETED b@8"]);
    const { searchParams } = seen[1]?.url ?? new URL("http://none");
    expect(searchParams.get("resourceVersion")).toBe("5");
    expect(searchParams.get("allowWatchBookmarks")).toBe("true");
  });

  test("lines may be cut anywhere, also inside a character", async () => {
    const bytes = Buffer.from(line("ADDED", widget("ä", 6)) + line("ADDED", widget("ö", 7)));
    const { kube } = await scripted((_, response) => {
      const send = (at: number): unknown =>
        at < bytes.length && response.write(bytes.subarray(at, at + 7), () => send(at + 7));
      send(0);
    });
    expect(await take(kube, 2, { resourceVersion: "1" })).toEqual(["ADDED ä@6", "ADDED ö@7"]);
  });

  test("resumes after the last event or bookmark when the server ends, breaks or hangs up", async () => {
    const bookmark = line("BOOKMARK", { metadata: { resourceVersion: "20" } });
    const answers: ((response: ServerResponse) => unknown)[] = [
      (response) => list(response, 5, []),
      (response) => response.end(line("ADDED", widget("a", 6)) + bookmark),
      (response) => response.write(`${line("ADDED", widget("b", 21))}{"type":"ADD`, () => response.destroy()),
      (response) => response.destroy(),
      (response) => json(response, 503, status(503, "starting")),
      (response) => response.write(line("ADDED", widget("c", 30))),
    ];
    const { kube, seen } = await scripted((_, response, count) => answers[count - 1]?.(response));
    expect(await take(kube, 3)).toEqual(["ADDED a@6", "ADDED b@21", "ADDED c@30"]);
    const positions = seen.slice(1).map(({ url }) => url.searchParams.get("resourceVersion"));
    expect(positions).toEqual(["5", "20", "21", "21", "21"]);
  });

  test.each([
    ["as an answer", (response: ServerResponse) => json(response, 410, status(410, "too old resource version"))],
    ["as an event", (response: ServerResponse) => response.end(line("ERROR", status(410, "too old")))],
  ])("410 %s lists again and reports the difference", async (_, expire) => {
    const lists = [
      [widget("kept", 1), widget("changed", 2), widget("vanished", 3), widget("remade", 4)],
      [widget("kept", 1), widget("changed", 8), widget("remade", 9, "uid-new"), widget("new", 10)],
    ];
    const { kube } = await scripted(({ url }, response) => {
      if (!url.searchParams.has("watch")) return list(response, 5, lists.shift() ?? []);
      expire(response);
    });
    expect(await take(kube, 9)).toEqual([
      "ADDED kept@1",
      "ADDED changed@2",
      "ADDED vanished@3",
      "ADDED remade@4",
      "DELETED vanished@3",
      "DELETED remade@4",
      "MODIFIED changed@8",
      "ADDED remade@9",
      "ADDED new@10",
    ]);
  });

  test("silence beyond the idle time makes a new connection", async () => {
    const { kube, seen } = await scripted((_, response, count) => {
      response.writeHead(200).flushHeaders();
      if (count === 2) response.write(line("ADDED", widget("a", 6)));
    });
    expect(await take(kube, 1, { resourceVersion: "5", idleMs: 50 })).toEqual(["ADDED a@6"]);
    expect(seen).toHaveLength(2);
  });

  test.each([
    ["no JSON", "{oops\n", "a line that is no event: {oops"],
    ["no event", '{"type":"ADDED"}\n', "a line that is no event"],
    ["an unknown type", line("RENAMED", widget("a", 1)), "a line that is no event"],
    ["an error", line("ERROR", status(422, "bad selector")), "bad selector (HTTP 422"],
  ])("ends with a failure at %s", async (_, text, message) => {
    const { kube } = await scripted((_request, response) => response.write(text));
    const error = await failure(take(kube, 1, { resourceVersion: "5" }));
    expect(error.kind).toBe("Invalid");
    expect(error.message).toContain(message);
  });

  test("ends with a failure where watching is forbidden", async () => {
    const { kube } = await scripted((_, response) => json(response, 403, status(403, "cannot watch widgets")));
    expect((await failure(take(kube, 1))).kind).toBe("Forbidden");
  });

  test("ends quietly, connection closed, when the caller aborts", async () => {
    const closed = Promise.withResolvers<void>();
    const { kube } = await scripted((_, response) => {
      response.write(line("ADDED", widget("a", 6)));
      response.on("close", closed.resolve);
    });
    const caller = new AbortController();
    const events: string[] = [];
    for await (const event of kube.watch(Widget, { resourceVersion: "5", signal: caller.signal })) {
      events.push(event.type);
      caller.abort();
    }
    expect(events).toEqual(["ADDED"]);
    await closed.promise;
  });
});
