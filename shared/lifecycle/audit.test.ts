import fc from "fast-check";
import { expect, it } from "vitest";
import { given, LONG_AGO } from "../../test/support/objects.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { type AuditEntry, auditEntry, brokenSeals, withEntry } from "./audit.ts";

/** A history of so many acts, newest first. */
function history(length: number): readonly AuditEntry[] {
  let audit: AuditEntry[] = [];
  for (let index = 0; index < length; index++) {
    const version = given(HelmApplicationVersion, "appv-1", { spec: {}, status: { state: "draft", audit } });
    audit = withEntry(
      audit,
      auditEntry(version, { action: "submit", to: "submitted", time: LONG_AGO, event: `e${index}` }),
    );
  }
  return audit;
}

it("numbers entries through, though the object keeps ten", () => {
  const kept = history(13);
  expect(kept.map(({ sequence }) => sequence)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4]);
  expect(brokenSeals("appv-1", kept)).toEqual([]);
});

it("shows every change to an entry, a missing one and one put in between", () => {
  const kept = history(6);
  const field = fc.constantFrom("message", "operator", "event", "time", "previous", "hash", "state");
  fc.assert(
    fc.property(fc.nat(5), field, fc.string({ minLength: 1, maxLength: 8 }), (at, name, value) => {
      const forged = kept.map((entry, index) => (index === at ? { ...entry, [name]: value } : entry)) as AuditEntry[];
      expect(brokenSeals("appv-1", forged)).toContain(kept[at]?.sequence);
    }),
  );
  expect(brokenSeals("appv-1", kept.toSpliced(2, 1))).toEqual([5]);
  expect(brokenSeals("appv-2", kept)).toHaveLength(6);
});

it("goes on from a history that KubeSphere wrote without numbers", () => {
  const audit = [{ state: "draft" as const, time: LONG_AGO }];
  const version = given(HelmApplicationVersion, "appv-1", { spec: {}, status: { state: "draft", audit } });
  const entry = auditEntry(version, { action: "submit", to: "submitted", time: LONG_AGO, event: "e1" });
  expect(entry.sequence).toBe(2);
  expect(brokenSeals("appv-1", withEntry(audit, entry))).toEqual([]);
});

it("seals what an object can hold: API servers put another character where half of a pair stands alone", () => {
  const version = given(HelmApplicationVersion, "appv-1", { spec: {}, status: { state: "draft" } });
  const deed = {
    action: "submit",
    to: "submitted",
    time: LONG_AGO,
    event: "e1",
    message: "half \ud83d of it",
  } as const;
  const entry = auditEntry(version, deed);
  const stored = JSON.parse(JSON.stringify(entry), (_, value) =>
    typeof value === "string" ? value.toWellFormed() : value,
  );
  expect(brokenSeals("appv-1", [stored])).toEqual([]);
});
