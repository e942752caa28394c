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
    expect(syncDue(eager, at(180))).toBe("due");
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
