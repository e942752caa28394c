import { expect, it } from "vitest";
import { VerificationRequested } from "../../shared/events/verification.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { given, happened, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const mark = "sha256:11";
const event = happened(VerificationRequested, { repo: "repo-1", versions: ["appv-1"], mark });
const version = given(HelmApplicationVersion, "appv-1", { spec: { name: "web" }, status: { state: "active" } });
const at = { mark, time: NOW.toISOString(), digest: "sha256:aa" };
const evidence = [{ method: "cosign" as const, signer: "sha256:cc" }];

it("says on the version that its signature holds, and tells it", () => {
  const decision = subject.decide({ looked: [{ version, verdict: { ...at, evidence, verified: true } }] }, event);
  const [written] = writtenBy(decision, "replaceStatus", HelmApplicationVersion);
  expect(written?.status).toMatchObject({
    state: "active",
    verification: { ...at, evidence },
    conditions: [{ type: "Verified", status: "True", message: expect.stringContaining("cosign by key sha256:cc") }],
  });
  expect(decision.announce?.map(({ data }) => data)).toMatchObject([
    { version: "appv-1", verified: true, reason: "SignatureVerified", digest: "sha256:aa" },
  ]);
  const again = subject.decide({ looked: written ? [{ version: written }] : [] }, event);
  expect(writesOf(again)).toEqual([]);
  expect(again.announce).toEqual(decision.announce);
});

it("says what is wrong with a signature, and leaves the state alone", () => {
  const distrust = { reason: "SignerUnknown", message: "the signature is by key AB12, which is not in the keyring" };
  const looked = [{ version, verdict: { ...at, ...distrust, evidence: [], verified: false as const } }];
  const decision = subject.decide({ looked }, event);
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([
    { status: { state: "active", conditions: [{ type: "Verified", status: "False", ...distrust }] } },
  ]);
  expect(decision.announce?.[0]?.data).toMatchObject({ verified: false, ...distrust });
});

it("says nothing of a version that the repository did not answer for", () => {
  const decision = subject.decide({ looked: [{ version, verdict: undefined }] }, event);
  expect(writesOf(decision)).toEqual([]);
  expect(decision.announce).toEqual([]);
});
