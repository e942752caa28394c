import { describe, expect, it } from "vitest";
import type { HelmRepo } from "../resources/helm-repo.ts";
import { nextSyncTime, syncDue } from "./sync-schedule.ts";

const START = Date.parse("2026-05-04T12:00:00Z");
const at = (seconds: number) => new Date(START + seconds * 1000);

interface Given {
  readonly spec?: Partial<HelmRepo["spec"]>;
  readonly attempts?: readonly ("successful" | "failed")[];
  readonly status?: Partial<NonNullable<HelmRepo["status"]>>;
  readonly annotations?: Record<string, string>;
}

/** A repository whose newest attempt was at START. */
function repo({ spec = {}, attempts = ["successful"], status = {}, annotations = {} }: Given): HelmRepo {
  return {
    apiVersion: "application.kubesphere.io/v1alpha1",
    kind: "HelmRepo",
    metadata: { name: "repo-1", generation: 1, annotations },
    spec: { name: "one", url: "https://example.com", ...spec },
    status: {
      observedGeneration: 1,
      syncState: attempts.map((state, index) => ({ state, syncTime: at(-index).toISOString() })),
      ...status,
    },
  };
}

describe("syncDue", () => {
  it("syncs a new repository at once", () => {
    expect(syncDue(repo({ attempts: [] }), at(0))).toBe("new");
  });

  it("never syncs again by itself when the period is 0", () => {
    expect(nextSyncTime(repo({}))).toBeUndefined();
    expect(syncDue(repo({}), at(1e7))).toBeUndefined();
  });

  it("takes 180 seconds as the shortest period", () => {
    const eager = repo({ spec: { syncPeriod: 5 } });
    expect(syncDue(eager, at(179))).toBeUndefined();
    expect(syncDue(eager, at(198))).toBe("due");
  });

  it("spreads repositories of one period over a tenth of it, each always in its own place", () => {
    const next = (name: string) => {
      const { metadata, ...rest } = repo({ spec: { syncPeriod: 3600 } });
      return (Date.parse(nextSyncTime({ ...rest, metadata: { ...metadata, name } }) ?? "") - START) / 1000;
    };
    const waits = Array.from({ length: 200 }, (_, number) => next(`repo-${number}`));
    expect(next("repo-7")).toBe(waits[7]);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(3600);
    expect(Math.max(...waits)).toBeLessThanOrEqual(3960);
    expect(new Set(waits.map((wait) => Math.floor(wait / 60))).size).toBeGreaterThanOrEqual(6);
  });

  it("asks no sooner than the server wants, and soon again for what a registry left over", () => {
    const patient = repo({ attempts: ["failed"], status: { notBefore: at(900).toISOString() } });
    expect(syncDue(patient, at(899))).toBeUndefined();
    expect(syncDue(patient, at(900))).toBe("retry");
    expect(syncDue(repo({ status: { pendingVersions: 3 } }), at(10))).toBe("due");
  });

  it("leaves a sync under way alone until it stands still, then has it taken up", () => {
    const sync = {
      id: "event-0",
      reason: "due",
      startedTime: at(-400).toISOString(),
      renewedTime: at(0).toISOString(),
    };
    const running = repo({
      status: { sync, observedGeneration: 0 },
      annotations: { "application.kubesphere.io/requested-at": "x" },
    });
    expect(syncDue(running, at(300))).toBeUndefined();
    expect(syncDue(running, at(301))).toBe("resumed");
  });

  it("goes on with what was asked for during a sync", () => {
    expect(syncDue(repo({ status: { queued: { id: "e", reason: "pushed", chart: "web" } } }), at(1))).toBe("pushed");
    expect(syncDue(repo({ status: { queued: { id: "e", reason: "requested" } } }), at(1))).toBe("requested");
  });

  it.each([
    [1, 60],
    [2, 120],
    [9, 540],
    [10, 600],
    [15, 600],
  ])("after %i failures in a row waits %i seconds, even with period 0", (failures, seconds) => {
    const broken = repo({ attempts: [...Array<"failed">(failures).fill("failed"), "successful"] });
    expect(syncDue(broken, at(seconds - 1))).toBeUndefined();
    expect(syncDue(broken, at(seconds))).toBe("retry");
  });

  it("follows a counted-up version, an edited spec and a request, each once", () => {
    expect(syncDue(repo({ spec: { version: 2 }, status: { version: 1 } }), at(30))).toBe("changed");
    expect(syncDue(repo({ status: { observedGeneration: 0 } }), at(30))).toBe("changed");
    expect(syncDue(repo({ status: { observedGeneration: 0 } }), at(3))).toBeUndefined();
    const annotations = { "application.kubesphere.io/requested-at": "now" };
    expect(syncDue(repo({ annotations }), at(1))).toBe("requested");
    expect(syncDue(repo({ annotations, status: { lastHandledRequest: "now" } }), at(1))).toBeUndefined();
  });

  it("leaves a repository alone that is being deleted", () => {
    const leaving = repo({ attempts: [] });
    expect(
      syncDue({ ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: "2026-05-04T12:00:00Z" } }, at(0)),
    ).toBeUndefined();
  });
});
