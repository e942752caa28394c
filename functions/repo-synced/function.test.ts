import { expect, it } from "vitest";
import { RepoSynced } from "../../shared/events/repo.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { announcedBy, given, happened, NOW, writesOf } from "../../test/support/objects.ts";
import subject from "./function.ts";

const event = happened(RepoSynced, { repo: "repo-1", changed: true, charts: 1, versions: 45, dropped: 0 });
const repo = given(HelmRepo, "repo-1", { spec: { name: "charts", url: "https://charts.example.com" } });
const mark = "sha256:11";
const names = Array.from({ length: 45 }, (_, index) => `appv-${index}`);
const versions = names.map((name) => given(HelmApplicationVersion, name, { spec: {} }));

it("asks for a look at every version, some per event", () => {
  const decision = subject.decide({ repo, mark, versions, now: NOW }, event);
  const asked = decision.announce?.map(({ data }) => data) as { versions: string[] }[];
  expect(asked.map((data) => data.versions.length)).toEqual([20, 20, 5]);
  expect(asked.flatMap((data) => data.versions)).toEqual(names);
  expect(asked[0]).toMatchObject({ repo: "repo-1", mark });
  expect(new Set(decision.announce?.map(({ name }) => name)).size).toBe(3);
  expect(writesOf(decision)).toEqual([]);
});

it("asks for none twice, and for none where nothing is demanded", () => {
  const verification = { mark, time: NOW.toISOString(), digest: "sha256:aa", evidence: [] };
  const verified = { type: "Verified", status: "True" as const, reason: "SignatureVerified", message: "" };
  const conditions = [{ ...verified, lastTransitionTime: NOW.toISOString() }];
  const done = versions.map((version) => ({ ...version, status: { verification, conditions } }));
  expect(announcedBy(subject.decide({ repo, mark, versions: done, now: NOW }, event))).toEqual([]);
  expect(announcedBy(subject.decide({ repo, mark: "sha256:22", versions: done, now: NOW }, event))).toHaveLength(3);
  expect(announcedBy(subject.decide({ repo, versions, now: NOW }, event))).toEqual([]);
  expect(announcedBy(subject.decide({ repo: undefined, versions: [], now: NOW }, event))).toEqual([]);
});
