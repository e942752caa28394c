import { expect, test } from "vitest";
import type { Event } from "../../../shared/event.ts";
import { PingSource } from "../eventing/kinds.ts";
import { apiServerEvent } from "./api-server-event.ts";
import { selectorText } from "./label-selector.ts";
import { pingEvent, startPingSource } from "./ping-source.ts";

const now = new Date("2026-01-02T03:04:05.678Z");
const sink = { ref: { apiVersion: "eventing.knative.dev/v1", kind: "Broker", name: "b" } };
const ping = (spec: object) =>
  PingSource.parse({ metadata: { name: "tick", namespace: "op" }, spec: { sink, ...spec } });

test("a tick is an event as Knative's PingSource sends it", () => {
  const source = ping({ contentType: "application/json", data: '{"a":1}', ceOverrides: { extensions: { x: "y" } } });
  expect(pingEvent(source, now)).toEqual({
    specversion: "1.0",
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    source: "/apis/v1/namespaces/op/pingsources/tick",
    type: "dev.knative.sources.ping",
    time: "2026-01-02T03:04:05.678Z",
    datacontenttype: "application/json",
    extensions: { x: "y" },
    data: { a: 1 },
  });
  expect(pingEvent(ping({}), now)).toMatchObject({ data: undefined });
  expect(pingEvent(ping({ dataBase64: "AQI=" }), now).data).toEqual(new Uint8Array([1, 2]));
});

test("a schedule with seconds ticks, and stops", async () => {
  const seen: Event[] = [];
  const ticked = Promise.withResolvers<void>();
  const running = startPingSource(
    ping({ schedule: "* * * * * *", timezone: "Europe/Berlin" }),
    async (event) => {
      seen.push(event);
      ticked.resolve();
    },
    (error) => ticked.reject(error),
  );
  await ticked.promise;
  await running.stop();
  expect(seen).toHaveLength(1);
});

test.each([
  ["@every 1m", /@every is not a schedule/],
  ["61 * * * *", /PingSource op\/tick: schedule "61/],
])("refuses schedule %s", (schedule, message) => {
  expect(() =>
    startPingSource(
      ping({ schedule }),
      async () => {},
      () => {},
    ),
  ).toThrow(message);
});

test("a change is an event as Knative's ApiServerSource sends it", () => {
  const object = { apiVersion: "g.io/v1", kind: "Repo", metadata: { name: "a", uid: "u", resourceVersion: "7" } };
  const seen = { host: "https://127.0.0.1:6443", plural: "repos", now };
  const whole = apiServerEvent({ type: "ADDED", object }, { ...seen, spec: { mode: "Resource" } });
  expect(whole).toEqual({
    specversion: "1.0",
    id: expect.any(String),
    source: "https://127.0.0.1:6443",
    type: "dev.knative.apiserver.resource.add",
    subject: "/apis/g.io/v1/namespaces//repos/a",
    time: "2026-01-02T03:04:05.678Z",
    datacontenttype: "application/json",
    extensions: { kind: "Repo", name: "a", apiversion: "g.io/v1" },
    data: object,
  });
  const named = { ...object, metadata: { ...object.metadata, namespace: "demo" } };
  expect(apiServerEvent({ type: "DELETED", object: named }, { ...seen, spec: { mode: "Reference" } })).toMatchObject({
    type: "dev.knative.apiserver.ref.delete",
    subject: "/apis/g.io/v1/namespaces/demo/repos/a",
    extensions: { namespace: "demo" },
    data: { kind: "Repo", namespace: "demo", name: "a", apiVersion: "g.io/v1" },
  });
});

test("a label selector becomes the text that the API server takes", () => {
  const matchExpressions = [
    { key: "a", operator: "Exists" as const, values: [] },
    { key: "b", operator: "DoesNotExist" as const, values: [] },
    { key: "c", operator: "In" as const, values: ["x", "y"] },
    { key: "d", operator: "NotIn" as const, values: ["z"] },
  ];
  expect(selectorText({ matchLabels: { e: "f" }, matchExpressions })).toBe("e=f,a,!b,c in (x,y),d notin (z)");
  expect(selectorText(undefined)).toBe("");
});
