import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { announce, type Cause, causeOf, type Event, eventId, eventName } from "./event.ts";
import { RepoSynced, RepoSyncRequested, RepoSyncTick } from "./events/repo.ts";

const NOW = new Date("2026-05-04T12:00:00Z");
const cause: Event = { specversion: "1.0", id: "c-1", source: "/cli", type: RepoSyncRequested.type, data: {} };
const synced = RepoSynced.of("helmrepos/r", { repo: "r", changed: true, charts: 1, versions: 2, dropped: 0 });
const context = { definition: RepoSyncRequested, cause, now: NOW };

describe("event ids", () => {
  it("are the same for the same cause and differ in every part", () => {
    const id = (name: string, by: Cause, [type, which]: readonly [string, string]) =>
      eventId(name, by, { type, subject: "s", name: which, partitionkey: "s", data: {} });
    const base = id("fn", { source: "/a", id: "1" }, ["t", "n"]);
    expect(id("fn", { source: "/a", id: "1" }, ["t", "n"])).toBe(base);
    const others = [
      id("fm", { source: "/a", id: "1" }, ["t", "n"]),
      id("fn", { source: "/b", id: "1" }, ["t", "n"]),
      id("fn", { source: "/a", id: "2" }, ["t", "n"]),
      id("fn", { source: "/a", id: "1" }, ["u", "n"]),
      id("fn", { source: "/a", id: "1" }, ["t", "m"]),
    ];
    expect(new Set([base, ...others]).size).toBe(6);
  });

  it("do not depend on how text is split over the parts", () => {
    const part = fc.string({ minLength: 1 }).filter((text) => !text.includes("\0"));
    const announcement = (type: string, name: string) => ({ type, subject: "s", name, partitionkey: "s", data: {} });
    fc.assert(
      fc.property(fc.tuple(part, part, part, part), fc.tuple(part, part, part, part), (a, b) => {
        fc.pre(a.join("\0") !== b.join("\0"));
        const id = ([fn, source, type, name]: readonly [string, string, string, string]) =>
          eventId(fn, { source, id: "1" }, announcement(type, name));
        expect(id(a)).not.toBe(id(b));
      }),
    );
  });

  it("of two ticks in the same second are the same occurrence", () => {
    const source = "/apis/v1/namespaces/openpitrix/pingsources/repo-sync-tick";
    const tick = (id: string, time: string): Event => ({
      ...cause,
      id,
      time,
      source,
      type: "dev.knative.sources.ping",
    });
    const of = (event: Event) => causeOf(RepoSyncTick, event);
    expect(of(tick("a", "2026-05-04T12:00:00.100Z"))).toEqual(of(tick("b", "2026-05-04T12:00:00.400Z")));
    expect(of(tick("a", "2026-05-04T12:01:00.100Z"))).not.toEqual(of(tick("a", "2026-05-04T12:00:00.100Z")));
  });
});

describe("announce", () => {
  it("links an event to its cause and to the start of the chain", () => {
    const event = announce("repo-sync-requested", synced, {
      ...context,
      cause: { ...cause, correlationid: "root", operator: "ann" },
    });
    expect(event).toMatchObject({
      specversion: "1.0",
      source: "/openpitrix/repo-sync-requested",
      type: "io.openpitrix.repo.synced",
      subject: "helmrepos/r",
      partitionkey: "helmrepos/r",
      causationid: "c-1",
      correlationid: "root",
      operator: "ann",
      time: NOW.toISOString(),
    });
  });

  it("starts a chain where the cause has none", () => {
    expect(announce("f", synced, context).correlationid).toBe("c-1");
  });

  it("refuses data that its declaration does not allow", () => {
    expect(() => RepoSynced.of("helmrepos/r", { repo: "", changed: true, charts: 1, versions: 2, dropped: 0 })).toThrow(
      /repo/,
    );
  });
});

it("names functions after events", () => {
  expect(eventName(RepoSyncTick)).toBe("repo-sync-tick");
});
