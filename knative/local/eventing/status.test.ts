import { describe, expect, test } from "vitest";
import type { Condition } from "../../../shared/conditions.ts";
import { statusOf } from "./status.ts";

const metadata = { name: "one", namespace: "ns" };
const broker = { apiVersion: "eventing.knative.dev/v1", kind: "Broker", name: "b" };
const context = { ingressUrl: "http://127.0.0.1:1", now: "2026-01-01T00:00:00Z" };

interface Status {
  readonly conditions: readonly Condition[];
  readonly [field: string]: unknown;
}

function status(kind: string, spec: object, before?: readonly Condition[]): Status {
  return statusOf({ kind, object: { metadata, spec }, generation: 3, before }, context) as Status;
}

const subscriber = { ref: { apiVersion: "serving.knative.dev/v1", kind: "Service", name: "f" } };
const resources = [{ apiVersion: "v1", kind: "Pod" }];
const subject = { apiVersion: "serving.knative.dev/v1", kind: "Service", name: "f" };
const sink = { ref: broker };

describe("statusOf", () => {
  test.each([
    ["Broker", {}, { address: { name: "http", url: "http://127.0.0.1:1/ns/one" } }],
    ["Trigger", { broker: "b", subscriber }, { subscriberUri: "http://f.ns.svc.cluster.local" }],
    ["PingSource", { sink }, { sinkUri: "http://127.0.0.1:1/ns/b" }],
    ["ApiServerSource", { resources, sink }, { sinkUri: "http://127.0.0.1:1/ns/b" }],
    ["SinkBinding", { subject, sink }, { sinkUri: "http://127.0.0.1:1/ns/b" }],
  ])("says that a %s is ready, and where it leads", (kind, spec, more) => {
    const told = status(kind, spec);
    expect(told).toMatchObject({ observedGeneration: 3, ...more });
    expect(told.conditions.map((one) => one.status)).toEqual(told.conditions.map(() => "True"));
    expect(told.conditions).toContainEqual(expect.objectContaining({ type: "Ready", lastTransitionTime: context.now }));
  });

  test("names the dead letter sink, or says that there is none", () => {
    const resolved = ({ conditions }: Status) => conditions.find(({ type }) => type === "DeadLetterSinkResolved");
    expect(resolved(status("Trigger", { broker: "b", subscriber }))?.reason).toBe("DeadLetterSinkNotConfigured");
    const told = status("Trigger", {
      broker: "b",
      subscriber,
      delivery: { deadLetterSink: { ref: broker, uri: "/x" } },
    });
    expect(told["deadLetterSinkUri"]).toBe("http://127.0.0.1:1/x");
    expect(resolved(told)?.reason).toBe("");
  });

  test("keeps the time since when a condition holds", () => {
    const earlier = "2025-01-01T00:00:00Z";
    const before = [{ type: "Ready", status: "True" as const, reason: "", message: "", lastTransitionTime: earlier }];
    const told = status("PingSource", { sink }, before);
    expect(told.conditions.find(({ type }) => type === "Ready")?.lastTransitionTime).toBe(earlier);
  });

  test("knows no status of other kinds", () => {
    expect(status("Channel", {})).toBeUndefined();
  });
});
