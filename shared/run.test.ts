import { describe, expect, it, vi } from "vitest";
import { NOW } from "../test/support/objects.ts";
import { apply, change, create, last, refuse, replaceStatus, wait } from "./decision.ts";
import { Failure } from "./errors.ts";
import type { Event } from "./event.ts";
import { VersionStateChanged, VersionSubmitted } from "./events/version.ts";
import { defineFunction } from "./function.ts";
import type { KubeObject } from "./resource.ts";
import { HelmApplication } from "./resources/helm-application.ts";
import { HelmApplicationVersion } from "./resources/helm-application-version.ts";
import { type FunctionIdentity, handle, type Runtime } from "./run.ts";

const EVENT: Event = {
  specversion: "1.0",
  id: "e",
  source: "/t",
  type: VersionSubmitted.type,
  data: { version: "appv-1" },
};
const MOVED = { version: "appv-1", app: "app-1", from: null, to: "draft" as const };
const STATUS = { state: "draft" as const, statusTime: NOW.toISOString(), updateTime: NOW.toISOString() };

/** Ports that write down what is asked of them; `conflicts` writes fail before one succeeds. */
function recorder(conflicts = 0): { readonly log: string[]; readonly runtime: Runtime; readonly published: Event[] } {
  const log: string[] = [];
  const published: Event[] = [];
  let left = conflicts;
  const write = (verb: string) => async (_kind: unknown, object: KubeObject) => {
    if (left-- > 0) throw new Failure("Conflict", "stale");
    const owners = object.metadata.ownerReferences?.map(({ uid }) => ` owned by ${uid}`) ?? [];
    log.push(`${verb} ${object.metadata.name}${owners.join("")}`);
    return { ...object, metadata: { ...object.metadata, uid: `uid-${object.metadata.name}`, resourceVersion: "2" } };
  };
  const runtime = {
    kube: {
      get: async () => undefined,
      list: async () => [],
      create: write("create"),
      apply: write("apply"),
      replace: write("replace"),
      replaceStatus: write("status"),
      remove: write("remove"),
    },
    bus: {
      publish: async (event: Event) => {
        log.push(`publish ${event.type.replace("io.openpitrix.", "")}`);
        published.push(event);
      },
    },
    blobs: {
      get: async () => undefined,
      put: async (bucket: string, key: string) => void log.push(`put ${bucket}/${key}`),
      remove: async (bucket: string, key: string) => void log.push(`forget ${bucket}/${key}`),
    },
    clock: { now: () => NOW },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    checkpoint: (point: string) => void log.push(`[${point}]`),
  } as unknown as Runtime;
  return { log, runtime, published };
}

type Options = Parameters<
  typeof defineFunction<
    typeof VersionSubmitted,
    number,
    typeof VersionStateChanged,
    never,
    typeof HelmApplication | typeof HelmApplicationVersion
  >
>[0];

function identity(over: Partial<Options>): FunctionIdentity {
  const definition = defineFunction<
    typeof VersionSubmitted,
    number,
    typeof VersionStateChanged,
    never,
    typeof HelmApplication | typeof HelmApplicationVersion
  >({
    on: VersionSubmitted,
    summary: "for this test",
    emits: [VersionStateChanged],
    reads: [],
    writes: [HelmApplication, HelmApplicationVersion],
    timeoutMs: 1_000,
    gather: async () => 1,
    decide: () => change({}),
    ...over,
  });
  return { name: "version-submitted", function: definition as unknown as FunctionIdentity["function"] };
}

const app = { metadata: { name: "app-1" }, spec: { name: "web" }, status: STATUS };
const version = { metadata: { name: "appv-1" }, spec: {}, status: { state: "draft" as const } };

describe("handle", () => {
  it("commits bytes, objects, events, and gives bytes up, in that order: owners first, the last write last", async () => {
    const { log, runtime, published } = recorder();
    const subject = identity({
      decide: () =>
        change({
          blobs: [{ bucket: "packages", key: "k", bytes: new Uint8Array() }],
          write: [
            last(
              replaceStatus(HelmApplication, { apiVersion: "", kind: "", ...app, metadata: { name: "mark" } }, STATUS),
            ),
            create(HelmApplicationVersion, version, { kind: HelmApplication, name: "app-1" }),
            create(HelmApplication, app),
            apply(HelmApplication, { metadata: { name: "app-1", labels: { a: "b" } } }),
          ],
          announce: [VersionStateChanged.of("s", MOVED)],
          forget: [{ bucket: "packages", key: "old" }],
        }),
    });
    const handled = await handle(subject, EVENT, runtime);
    expect(handled.outcome).toEqual({ kind: "done" });
    expect(log).toEqual([
      "[gathered]",
      "put packages/k",
      "[stored]",
      "create app-1",
      "status app-1",
      "apply app-1",
      "create appv-1 owned by uid-app-1",
      "status appv-1 owned by uid-app-1",
      "status mark",
      "[written]",
      "publish version.state.changed",
      "[published]",
      "forget packages/old",
    ]);
    expect(published[0]).toMatchObject({ causationid: "e", source: "/openpitrix/version-submitted" });
  });

  it("decides again when somebody else wrote first, and gives up politely", async () => {
    const decide = () => change({ write: [create(HelmApplication, { metadata: { name: "a" }, spec: { name: "a" } })] });
    expect((await handle(identity({ decide }), EVENT, recorder(3).runtime)).outcome).toEqual({ kind: "done" });
    expect((await handle(identity({ decide }), EVENT, recorder(99).runtime)).outcome).toMatchObject({ kind: "busy" });
  });

  it("publishes a refusal's facts and reports it", async () => {
    const { log, runtime } = recorder();
    const decide = () => refuse("No", "because", { announce: [VersionStateChanged.of("s", MOVED)] });
    expect((await handle(identity({ decide }), EVENT, runtime)).outcome).toEqual({
      kind: "refused",
      reason: "No",
      message: "because",
    });
    expect(log).toContain("publish version.state.changed");
  });

  it("asks for the event again when it is too early", async () => {
    const { outcome } = await handle(identity({ decide: () => wait("Early") }), EVENT, recorder().runtime);
    expect(outcome).toEqual({ kind: "waiting", reason: "Early" });
  });

  it("ignores other events and buries malformed ones", async () => {
    const other = await handle(identity({}), { ...EVENT, type: "boson.fn" }, recorder().runtime);
    expect(other.outcome).toEqual({ kind: "ignored" });
    const malformed = await handle(identity({}), { ...EVENT, data: { version: 7 } }, recorder().runtime);
    expect(malformed.outcome).toMatchObject({ kind: "dead", reason: "MalformedData" });
  });

  it("stops waiting for a gather that does not end", async () => {
    const gather = () => new Promise<number>(() => undefined);
    const { outcome } = await handle(identity({ gather, timeoutMs: 20 }), EVENT, recorder().runtime);
    expect(outcome).toMatchObject({ kind: "retry" });
  });

  it("begins no further write once its time is up", async () => {
    const { log, runtime } = recorder();
    const gate = Promise.withResolvers<void>();
    const put = () => gate.promise;
    const decide = () =>
      change({
        blobs: [{ bucket: "packages", key: "k", bytes: new Uint8Array() }],
        write: [create(HelmApplication, app)],
      });
    const slow = { ...runtime, blobs: { ...runtime.blobs, put } };
    expect((await handle(identity({ decide, timeoutMs: 20 }), EVENT, slow)).outcome).toMatchObject({ kind: "retry" });
    gate.resolve();
    await vi.waitFor(() => expect(log).toContain("[stored]"));
    expect(log.filter((entry) => entry.startsWith("create"))).toEqual([]);
  });

  it("decides again when an owner vanished meanwhile", async () => {
    const owner = { kind: HelmApplication, name: "app-gone" };
    const decide = () => change({ write: [create(HelmApplicationVersion, version, owner)] });
    expect((await handle(identity({ decide }), EVENT, recorder().runtime)).outcome).toMatchObject({ kind: "busy" });
  });

  it("retries after an unexpected error", async () => {
    const gather = async (): Promise<number> => {
      throw new TypeError("bug");
    };
    expect((await handle(identity({ gather }), EVENT, recorder().runtime)).outcome).toEqual({
      kind: "retry",
      reason: "Unexpected: bug",
    });
  });
});
