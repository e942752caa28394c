import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Decision } from "../decision.ts";
import type { Event } from "../event.ts";
import type { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { type ActData, act } from "./act.ts";
import { type Action, VersionState } from "./states.ts";
import { readStoreSettings } from "./store-settings.ts";
import { nextState, TRANSITIONS } from "./transitions.ts";

const NOW = new Date("2026-05-04T12:00:00Z");
const LONG_AGO = "2026-05-04T11:00:00Z";
const settings = readStoreSettings(undefined);

function version(state: VersionState | undefined, labels: Record<string, string> = {}): HelmApplicationVersion {
  const metadata = {
    name: "appv-1",
    resourceVersion: "7",
    labels: { "application.kubesphere.io/app-id": "app-1", ...labels },
  };
  const status = state === undefined ? {} : { status: { state } };
  return {
    apiVersion: "application.kubesphere.io/v1alpha1",
    kind: "HelmApplicationVersion",
    metadata,
    spec: {},
    ...status,
  };
}

function event(id: string, time = NOW.toISOString()): Event<ActData> {
  const data = { version: "appv-1", message: "please" };
  return {
    specversion: "1.0",
    id,
    source: "/test",
    type: "io.openpitrix.version.submitted",
    time,
    operator: "ann",
    data,
  };
}

function statusOf(decision: Decision) {
  const [write] = decision.write ?? [];
  return write && "status" in write.object ? (write.object.status as HelmApplicationVersion["status"]) : undefined;
}

describe("act", () => {
  it("moves, records who, when and why, and announces", () => {
    const decision = act("submit", { version: version("draft"), settings, now: NOW }, event("e1"));
    const { state, audit } = statusOf(decision) ?? {};
    expect(state).toBe("submitted");
    const [entry] = audit ?? [];
    expect(audit).toEqual([
      {
        message: "please",
        action: "submit",
        state: "submitted",
        from: "draft",
        time: NOW.toISOString(),
        operator: "ann",
        event: "e1",
        sequence: 1,
        previous: "",
        hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      },
    ]);
    expect(decision.announce?.map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: "io.openpitrix.version.state.changed",
        data: {
          version: "appv-1",
          app: "app-1",
          from: "draft",
          to: "submitted",
          operator: "ann",
          message: "please",
          audit: {
            action: "submit",
            time: NOW.toISOString(),
            event: "e1",
            sequence: 1,
            previous: "",
            hash: entry?.hash,
          },
        },
      },
    ]);
  });

  it("takes a version without status for a draft", () => {
    expect(statusOf(act("submit", { version: version(undefined), settings, now: NOW }, event("e1")))?.state).toBe(
      "submitted",
    );
  });

  it("announces again, and writes nothing, when the same event comes twice", () => {
    const first = act("submit", { version: version("draft"), settings, now: NOW }, event("e1"));
    const status = statusOf(first);
    if (!status) throw new Error("no status was written");
    const second = act("submit", { version: { ...version("draft"), status }, settings, now: NOW }, event("e1"));
    expect(second.write ?? []).toEqual([]);
    expect(second.announce).toEqual(first.announce);
  });

  it("does not take another act for a repeat because its sender calls every event the same", () => {
    const submitted = statusOf(act("submit", { version: version("draft"), settings, now: NOW }, event("1")));
    const now = { ...version("submitted"), ...(submitted ? { status: submitted } : {}) };
    expect(statusOf(act("pass", { version: now, settings, now: NOW }, event("1")))?.state).toBe("passed");
  });

  it("refuses visibly when another event asks for what was done already", () => {
    const decision = act("submit", { version: version("submitted"), settings, now: NOW }, event("e2"));
    expect(decision).toMatchObject({ outcome: "refuse", reason: "IllegalTransition" });
    expect(statusOf(decision)).toMatchObject({
      state: "submitted",
      conditions: [{ type: "ActionRefused", status: "True" }],
    });
    expect(decision.announce?.map(({ type }) => type)).toEqual(["io.openpitrix.version.action.refused"]);
  });

  it("refuses the same event again in the same words, though the act would be legal by now", () => {
    const first = act("pass", { version: version("draft"), settings, now: NOW }, event("e2", LONG_AGO));
    const status = statusOf(first);
    if (!status) throw new Error("no status was written");
    const since = { ...version("submitted"), status: { ...status, state: "submitted" as const } };
    const again = act("pass", { version: since, settings, now: NOW }, event("e2", LONG_AGO));
    expect(again).toMatchObject({ outcome: "refuse", announce: first.announce });
    expect(again.write ?? []).toEqual([]);
    expect(act("pass", { version: since, settings, now: NOW }, event("e3")).outcome).toBe("change");
  });

  it("does not write the same refusal twice", () => {
    const first = act("submit", { version: version("active"), settings, now: NOW }, event("e2"));
    const status = statusOf(first);
    if (!status) throw new Error("no status was written");
    expect(
      act("submit", { version: { ...version("active"), status }, settings, now: NOW }, event("e2")).write ?? [],
    ).toEqual([]);
  });

  it("waits while an act that must come first may still be under way, then refuses", () => {
    expect(act("release", { version: version("draft"), settings, now: NOW }, event("e3")).outcome).toBe("wait");
    expect(act("release", { version: version("draft"), settings, now: NOW }, event("e3", LONG_AGO)).outcome).toBe(
      "refuse",
    );
    expect(act("release", { version: undefined, settings, now: NOW }, event("e3")).outcome).toBe("wait");
    expect(act("release", { version: undefined, settings, now: NOW }, event("e3", LONG_AGO))).toMatchObject({
      reason: "VersionNotFound",
    });
  });

  it("does not make somebody wait who wants the answer now", () => {
    const now = { ...event("e3"), data: { version: "appv-1", immediate: true } };
    expect(act("release", { version: version("draft"), settings, now: NOW }, now).outcome).toBe("refuse");
    expect(act("release", { version: undefined, settings, now: NOW }, now)).toMatchObject({
      reason: "VersionNotFound",
    });
  });

  it("says what it waits for, once, and takes that back when the wait is over", () => {
    const waiting = act("release", { version: version("draft"), settings, now: NOW }, event("e3"));
    const status = statusOf(waiting);
    expect(status?.conditions).toMatchObject([{ type: "ActionPending", status: "True", reason: "TooEarly" }]);
    if (!status) throw new Error("no status was written");
    const told = { ...version("draft"), status };
    expect(act("pass", { version: told, settings, now: NOW }, event("e2")).write ?? []).toEqual([]);
    expect(statusOf(act("submit", { version: told, settings, now: NOW }, event("e1")))).not.toHaveProperty(
      "conditions",
    );
    const late = statusOf(act("release", { version: told, settings, now: NOW }, event("e3", LONG_AGO)));
    expect(late?.conditions?.map(({ type }) => type)).toEqual(["ActionRefused"]);
  });

  it("leaves versions of repositories alone", () => {
    const listed = version("active", { "application.kubesphere.io/repo-id": "repo-1" });
    expect(act("suspend", { version: listed, settings, now: NOW }, event("e4"))).toMatchObject({
      outcome: "refuse",
      reason: "Immutable",
    });
  });

  it("keeps the newest ten audit entries", () => {
    const audit = Array.from({ length: 10 }, (_, index) => ({
      state: "draft" as const,
      time: LONG_AGO,
      event: `old-${index}`,
    }));
    const full = { ...version("draft"), status: { state: "draft" as const, audit } };
    const kept = statusOf(act("submit", { version: full, settings, now: NOW }, event("e5")))?.audit ?? [];
    expect(kept.map((entry) => entry.event)).toEqual(["e5", ...audit.slice(0, 9).map((entry) => entry.event)]);
  });

  it("agrees with the table for every action in every state", () => {
    const actions = TRANSITIONS.map(({ action }) => action).filter((action): action is Action => action !== "delete");
    fc.assert(
      fc.property(fc.constantFrom(...actions), fc.constantFrom(...VersionState.options), (action, state) => {
        const decision = act(action, { version: version(state), settings, now: NOW }, event("e6", LONG_AGO));
        const next = nextState(action, state);
        expect(decision.outcome).toBe(next ? "change" : "refuse");
        expect(statusOf(decision)?.state).toBe(next ?? state);
      }),
    );
  });
});
