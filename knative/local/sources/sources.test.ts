import { expect, test } from "vitest";
import type { Event } from "../../../shared/event.ts";
import { PingSource } from "../eventing/kinds.ts";
import { apiServerEvent } from "./api-server-event.ts";
import { matchesLabels, selectorText } from "./label-selector.ts";
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
});

test.each([
  [{ dataBase64: "AQI=" }, new Uint8Array([1, 2])],
  [{ dataBase64: "AQI=", contentType: "image/png" }, new Uint8Array([1, 2])],
  [{ dataBase64: "eyJhIjoxfQ==", contentType: "application/json" }, { a: 1 }],
  [{ data: "hello", contentType: "text/plain" }, "hello"],
  [{ data: '{"a":1}' }, '{"a":1}'],
  [{ data: "", contentType: "text/plain" }, undefined],
])("a source with %j sends %j", (spec, data) => {
  const { contentType } = { contentType: undefined, ...spec };
  const event = pingEvent(ping(spec), now);
  expect([event.data, event.datacontenttype]).toEqual([data, data === undefined ? undefined : contentType]);
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

const start = (spec: object) =>
  startPingSource(
    ping(spec),
    async () => {},
    () => {},
  );

test.each([
  "*/5 * * * *",
  "0 30 4 1,15 * 5",
  "0 0 * JAN-MAR mon-fri",
  "0 0 ? * 7",
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
])("takes schedule %s", async (schedule) => {
  await start({ schedule, timezone: "Asia/Kolkata" }).stop();
});

test.each([
  [{ schedule: "@every 1m" }, "PingSource op/tick: @every is not a schedule in Knative"],
  [{ schedule: "@reboot" }, 'PingSource op/tick: schedule "@reboot" is neither'],
  [{ schedule: "61 * * * *" }, 'PingSource op/tick: schedule "61 * * * *": '],
  [{ schedule: "* * * *" }, 'schedule "* * * *" is neither five or six cron fields'],
  [{ schedule: "0 0 L * *" }, 'schedule "0 0 L * *" is neither'],
  [{ schedule: "0 0 * * 1#2" }, 'schedule "0 0 * * 1#2" is neither'],
  [{ schedule: "2030-01-01T00:00:00" }, "is neither"],
  [{ timezone: "Mars/Base" }, 'PingSource op/tick: timezone "Mars/Base" is not known'],
  [{ data: "a", dataBase64: "YQ==" }, "PingSource op/tick: it has both data and dataBase64"],
  [{ dataBase64: "!" }, "PingSource op/tick: dataBase64 is not base64"],
  [{ data: "{", contentType: "application/json" }, "the data must be JSON: "],
  [{ data: "[1]", contentType: "application/json" }, "the data must be a JSON object"],
  [{ dataBase64: "MQ==", contentType: "application/json" }, "the data must be a JSON object"],
])("refuses %j", (spec, message) => {
  expect(() => start(spec)).toThrow(message);
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

test.each([
  [{ a: "1", b: "x" }, true],
  [{ a: "1", b: "z" }, false],
  [{ a: "2", b: "x" }, false],
  [{ a: "1" }, false],
  [{ a: "1", b: "x", c: "" }, false],
  [{ a: "1", b: "x", d: "no" }, false],
  [{ a: "1", b: "y", d: "yes" }, true],
])("labels %j meet the selector: %s", (labels, expected) => {
  const matchExpressions = [
    { key: "b", operator: "In" as const, values: ["x", "y"] },
    { key: "b", operator: "Exists" as const, values: [] },
    { key: "c", operator: "DoesNotExist" as const, values: [] },
    { key: "d", operator: "NotIn" as const, values: ["no"] },
  ];
  expect(matchesLabels({ matchLabels: { a: "1" }, matchExpressions }, labels)).toBe(expected);
});
