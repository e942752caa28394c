import { describe, expect, it } from "vitest";
import { VersionState } from "./states.ts";
import { isEarly, nextState, TRANSITIONS } from "./transitions.ts";

describe("transition table", () => {
  it("allows exactly the acts that the architecture names", () => {
    const legal = TRANSITIONS.flatMap(({ action, from, to }) => from.map((state) => `${state} -${action}-> ${to}`));
    expect(legal.sort()).toEqual([
      "active -suspend-> suspended",
      "draft -delete-> null",
      "draft -submit-> submitted",
      "passed -cancel-> draft",
      "passed -delete-> null",
      "passed -release-> active",
      "rejected -delete-> null",
      "rejected -submit-> submitted",
      "submitted -cancel-> draft",
      "submitted -pass-> passed",
      "submitted -reject-> rejected",
      "submitted -review-> submitted",
      "suspended -delete-> null",
      "suspended -recover-> active",
    ]);
  });

  it("waits only for acts whose turn may still come", () => {
    const early = (action: Parameters<typeof isEarly>[0]) =>
      VersionState.options.filter((state) => isEarly(action, state));
    expect(early("submit")).toEqual([]);
    expect(early("pass")).toEqual(["draft", "rejected"]);
    expect(early("release")).toEqual(["draft", "submitted", "rejected"]);
    expect(early("suspend")).toEqual(["draft", "submitted", "passed", "rejected"]);
  });

  it("is never early and legal at once", () => {
    for (const { action } of TRANSITIONS) {
      for (const state of VersionState.options) {
        expect(isEarly(action, state) && nextState(action, state) !== undefined, `${action} at ${state}`).toBe(false);
      }
    }
  });
});
