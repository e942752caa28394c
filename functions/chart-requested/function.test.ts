import { expect, it } from "vitest";
import { sha256 } from "../../shared/digest.ts";
import { ChartRequested } from "../../shared/events/chart.ts";
import { announcedBy, happened } from "../../test/support/objects.ts";
import subject from "./function.ts";

const bytes = new Uint8Array([1, 2, 3]);
const asked = { repo: "repo-1", chart: "web", version: "appv-1" };
const event = happened(ChartRequested, asked);

it("keeps what was fetched before it says so", () => {
  const digest = sha256(bytes);
  const decision = subject.decide({ chart: { ok: true, bytes, digest } }, event);
  expect(decision.blobs).toEqual([{ bucket: "packages", key: digest, bytes }]);
  expect(decision.announce).toMatchObject([{ data: { ...asked, digest }, subject: "helmapplicationversions/appv-1" }]);
  expect(announcedBy(decision)).toEqual(["chart.fetched"]);
});

it("keeps nothing of a chart that is not what was listed, and says why", () => {
  const chart = { ok: false, reason: "DigestMismatch", message: "x".repeat(2_000) } as const;
  const decision = subject.decide({ chart }, event);
  expect(decision).toMatchObject({ outcome: "refuse", reason: "DigestMismatch" });
  expect(decision.blobs ?? []).toEqual([]);
  expect(decision.announce).toMatchObject([{ data: { ...asked, message: "x".repeat(1024) } }]);
  expect(announcedBy(decision)).toEqual(["chart.refused"]);
});
