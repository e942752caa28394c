import { describe, expect, it } from "vitest";
import { ONE_STEP } from "../../test/support/acts.ts";
import { given, happened, NOW } from "../../test/support/objects.ts";
import { VersionApproved } from "../events/version.ts";
import { ConfigMap } from "../resources/core.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { type ActDecision, act } from "./act.ts";
import type { Action, ReviewStep } from "./states.ts";
import { readStoreSettings, STORE_SETTINGS } from "./store-settings.ts";

const steps = (reviewSteps: string, separateReviewers = "false") =>
  readStoreSettings({ ...given(ConfigMap, STORE_SETTINGS.name), data: { reviewSteps, separateReviewers } });

interface Said {
  readonly action: Action;
  readonly by?: string;
  readonly step?: ReviewStep;
}

/** Plays acts one after the other on a submitted version and gives the last decision, and the version after it. */
function play(settings: typeof ONE_STEP, ...said: readonly Said[]) {
  let version = given(HelmApplicationVersion, "appv-1", { spec: {}, status: { state: "draft" } });
  let decision: ActDecision | undefined;
  for (const [index, { action, by, step }] of [{ action: "submit" as const, by: "vic" }, ...said].entries()) {
    const data = { version: "appv-1", ...(step === undefined ? {} : { step }) };
    const over = { id: `e${index}`, ...(by === undefined ? {} : { operator: by }) };
    decision = act(action, { version, settings, now: NOW }, happened(VersionApproved, data, over));
    const written = decision.write?.[0]?.object as HelmApplicationVersion | undefined;
    version = written ?? version;
  }
  return { decision, version };
}

describe("a store without steps of its own", () => {
  it("passes a version with one word, and remembers who said it", () => {
    const { version } = play(ONE_STEP, { action: "pass", by: "rita" });
    expect(version.status).toMatchObject({
      state: "passed",
      review: { submitter: "vic", phases: [{ step: "review", state: "passed", reviewer: "rita" }] },
    });
  });

  it("shows who is looking at a version until it is decided", () => {
    const looking = play(ONE_STEP, { action: "review", by: "rita" }).version;
    expect(looking.status).toMatchObject({
      state: "submitted",
      conditions: [{ type: "InReview", status: "True", message: "rita is looking at it (step review)" }],
    });
    const decided = play(ONE_STEP, { action: "review", by: "rita" }, { action: "reject", by: "rita" }).version;
    expect(decided.status).toMatchObject({ state: "rejected", conditions: [{ type: "InReview", status: "False" }] });
  });

  it("does not let a second reviewer take what another has taken", () => {
    const { decision } = play(ONE_STEP, { action: "review", by: "rita" }, { action: "review", by: "rob" });
    expect(decision).toMatchObject({ outcome: "refuse", reason: "InReview" });
  });
});

it("goes on with the last step where the store has dropped the steps after it meanwhile", () => {
  const { version } = play(steps("isv,business"), { action: "pass", by: "rita" });
  const settings = steps("isv", "true");
  const by = (operator: string) => happened(VersionApproved, { version: "appv-1" }, { id: "e9", operator });
  expect(act("pass", { version, settings, now: NOW }, by("vic"))).toMatchObject({ reason: "SamePerson" });
  expect(act("pass", { version, settings, now: NOW }, by("rita")).write?.[0]?.object).toMatchObject({
    status: { state: "passed" },
  });
});

it("says in short what is wrong with settings of any length, as an object keeps no more", () => {
  const { decision, version } = play(steps("x".repeat(100_000)), { action: "pass", by: "rita" });
  expect(decision).toMatchObject({ outcome: "refuse", reason: "InvalidSettings" });
  expect(version.status?.refusals?.[0]?.message.length).toBeLessThanOrEqual(1024);
  const [fact] = decision?.announce ?? [];
  expect(JSON.stringify(fact).length).toBeLessThan(2_000);
});

describe("a store with three steps", () => {
  const three = steps("isv, business,technical");

  it("passes a version with the last of its steps, each after the one before", () => {
    const { version } = play(three, { action: "pass", by: "a" }, { action: "pass", by: "b" });
    expect(version.status).toMatchObject({ state: "submitted" });
    const done = play(three, { action: "pass", by: "a" }, { action: "pass", by: "b" }, { action: "pass", by: "c" });
    expect(done.version.status?.state).toBe("passed");
    expect(done.version.status?.review?.phases.map(({ step }) => step)).toEqual(["isv", "business", "technical"]);
  });

  it("asks that a step has passed, not only that it was begun", () => {
    const { decision } = play(three, { action: "review", by: "a" }, { action: "pass", by: "b", step: "business" });
    expect(decision).toMatchObject({ outcome: "refuse", reason: "OutOfTurn" });
  });

  it("ends with the first rejection, and begins anew with the next submission", () => {
    const after = play(
      three,
      { action: "pass", by: "a" },
      { action: "reject", by: "b" },
      { action: "submit", by: "vic" },
    );
    expect(after.version.status).toMatchObject({ state: "submitted", review: { phases: [] } });
  });

  it("lets an administrator pass at once", () => {
    expect(play(three, { action: "pass", by: "adm", step: "admin" }).version.status?.state).toBe("passed");
    expect(play(three, { action: "review", by: "adm", step: "admin" }).decision).toMatchObject({
      reason: "UnknownStep",
    });
  });
});

describe("a store that wants different people", () => {
  const two = steps("isv,technical", "true");

  it.each([
    { said: [{ action: "pass", by: "vic" }], reason: "SamePerson" },
    {
      said: [
        { action: "pass", by: "a" },
        { action: "pass", by: "a" },
      ],
      reason: "SamePerson",
    },
    { said: [{ action: "pass" }], reason: "OperatorUnknown" },
  ] as const)("refuses $reason", ({ said, reason }) => {
    expect(play(two, ...said).decision).toMatchObject({ outcome: "refuse", reason });
  });

  it("takes two who are neither the submitter nor each other", () => {
    expect(play(two, { action: "pass", by: "a" }, { action: "pass", by: "b" }).version.status?.state).toBe("passed");
  });
});

it.each(["technical,isv", "isv,isv", "legal"])("reviews nothing while its steps read %s", (text) => {
  const { decision } = play(steps(text), { action: "pass", by: "a" });
  expect(decision).toMatchObject({ outcome: "refuse", reason: "InvalidSettings" });
});
