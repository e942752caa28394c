import { expect, it } from "vitest";
import { given, NOW } from "../../test/support/objects.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { verificationDue } from "./due.ts";

const mark = "sha256:11";
const hex = "ab".repeat(32);
const minutes = (count: number) => new Date(NOW.getTime() - count * 60_000).toISOString();

function looked(status: "True" | "False", ago: number, since = ago) {
  const condition = { type: "Verified", status, reason: "X", message: "", lastTransitionTime: minutes(since) };
  const verification = { mark, digest: `sha256:${hex}`, time: minutes(ago), evidence: [] };
  const spec = { digest: hex };
  return given(HelmApplicationVersion, "appv-1", { spec, status: { verification, conditions: [condition] } });
}

it("looks once at what was verified, until bytes or keys change", () => {
  expect(verificationDue(given(HelmApplicationVersion, "appv-1", { spec: {} }), mark, NOW)).toBe(true);
  const verified = looked("True", 100_000);
  expect(verificationDue(verified, mark, NOW)).toBe(false);
  expect(verificationDue(verified, "sha256:22", NOW)).toBe(true);
  expect(verificationDue({ ...verified, spec: { digest: "cd".repeat(32) } }, mark, NOW)).toBe(true);
});

it("looks again for a signature that was missing, after pauses that double from ten minutes to a day", () => {
  expect(verificationDue(looked("False", 9), mark, NOW)).toBe(false);
  expect(verificationDue(looked("False", 10), mark, NOW)).toBe(true);
  expect(verificationDue(looked("False", 10, 40), mark, NOW)).toBe(false);
  expect(verificationDue(looked("False", 30, 60), mark, NOW)).toBe(true);
  expect(verificationDue(looked("False", 23 * 60, 100_000), mark, NOW)).toBe(false);
  expect(verificationDue(looked("False", 24 * 60, 100_000), mark, NOW)).toBe(true);
});
