import { expect, it } from "vitest";
import { given, LONG_AGO } from "../../test/support/objects.ts";
import { VersionStateChanged } from "../events/version.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { type AuditEntry, auditEntry, draftEntry, stateChanged } from "./audit.ts";
import { lastRecords, versionRecord } from "./history.ts";

const metadata = { name: "appv-1", labels: { "application.kubesphere.io/app-id": "app-1" } };
const made = (event: string) => draftEntry({ name: "appv-1", time: LONG_AGO, event });

function recordOf(entry: AuditEntry) {
  return versionRecord({ data: VersionStateChanged.data.parse(stateChanged({ metadata }, entry).data) });
}

/** The entry by which a version with that history is deleted. */
function deletion(first: AuditEntry, time: string): AuditEntry {
  const version = given(HelmApplicationVersion, "appv-1", { spec: {}, status: { audit: [first] } });
  return auditEntry(version, { action: "delete", from: "draft", time, event: time });
}

it("keeps the acts of a version that was made anew under the name of one that is gone", () => {
  const [first] = recordOf(made("upload-1"));
  const [second] = recordOf(made("upload-2"));
  expect(recordOf(made("upload-1"))[0]?.key, "told twice").toBe(first?.key);
  expect(second?.key).not.toBe(first?.key);
});

it("keeps both entries of one number where an object was tampered with in between", () => {
  const version = given(HelmApplicationVersion, "appv-1", { spec: {}, status: { audit: [made("upload-1")] } });
  const act = { action: "submit", from: "draft", to: "submitted", time: LONG_AGO } as const;
  const keys = ["a", "b"].map((event) => recordOf(auditEntry(version, { ...act, event }))[0]?.key);
  expect(new Set(keys).size).toBe(2);
});

it("keeps one record of a deletion, however many tell of it", () => {
  const [here] = recordOf(deletion(made("upload-1"), LONG_AGO));
  const [there] = recordOf(deletion(made("upload-1"), "2026-05-04T11:00:05Z"));
  expect(there?.key).toBe(here?.key);
  expect(recordOf(deletion(made("upload-2"), LONG_AGO))[0]?.key, "of another life").not.toBe(here?.key);
});

it("keeps nothing of entries that KubeSphere wrote, which have neither number nor seal", () => {
  const old = { state: "active" as const, time: LONG_AGO };
  expect(recordOf(old)).toEqual([]);
  const version = given(HelmApplicationVersion, "appv-1", { spec: {}, status: { audit: [old] } });
  expect(lastRecords(version)).toEqual([]);
});
