import { expect, it } from "vitest";
import { RepoEdited } from "../../shared/events/repo.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { announcedBy, given, happened, LONG_AGO, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const PERIOD = "app.kubesphere.io/sync-period";
const repo = given(HelmRepo, "repo-1", {
  metadata: { annotations: { [PERIOD]: "1h" } },
  spec: {
    name: "charts",
    url: "https://charts.example.com/a",
    syncPeriod: 3600,
    secretRef: { name: "repo-1-credentials", namespace: "openpitrix" },
  },
});

type World = Parameters<typeof subject.decide>[0];

function edit(data: object, world: Partial<World> = {}) {
  const event = happened(RepoEdited, { repo: "repo-1", ...data });
  return subject.decide({ repos: [repo], credential: undefined, ...world }, event);
}
const written = (decision: ReturnType<typeof edit>) => writtenBy(decision, "replace", HelmRepo)[0];

it("edits what is named and leaves the rest, as the object was read, once", () => {
  const decision = edit({ description: "ours" });
  expect(written(decision)).toMatchObject({
    metadata: { resourceVersion: "1", annotations: { [PERIOD]: "1h" } },
    spec: { ...repo.spec, description: "ours" },
  });
  const made = written(decision);
  if (!made) throw new Error("nothing was written");
  const again = edit({ description: "theirs" }, { repos: [made] });
  expect([writesOf(again), announcedBy(again)]).toEqual([[], ["repo.changed"]]);
});

it.each([
  { syncPeriod: "2h", seconds: 7200, text: "2h" },
  { syncPeriod: "", seconds: 0, text: undefined },
  { syncPeriod: "0", seconds: 0, text: undefined },
  { syncPeriod: "1s", seconds: 180, text: "1s" },
])("keeps the period $syncPeriod as $seconds seconds", ({ syncPeriod, seconds, text }) => {
  const edited = written(edit({ syncPeriod }));
  expect([edited?.spec.syncPeriod, edited?.metadata.annotations?.[PERIOD]]).toEqual([seconds, text]);
});

it("keeps credentials with their host: another path has them, another host has not", () => {
  const samePlace = written(edit({ url: "https://charts.example.com/b" }));
  expect(samePlace?.spec).toMatchObject({ version: 1, secretRef: { name: "repo-1-credentials" } });
  const elsewhere = written(edit({ url: "https://else.example.com/a" }));
  expect(elsewhere?.spec).toMatchObject({ version: 1, url: "https://else.example.com/a" });
  expect(elsewhere?.spec.secretRef).toBeUndefined();
  const both = edit({ url: "https://else.example.com/a" }, { credential: { token: "t" } });
  expect(writesOf(both)).toEqual(["apply secrets/openpitrix/repo-1-credentials", "replace helmrepos/repo-1"]);
  expect(written(both)?.spec.secretRef?.name).toBe("repo-1-credentials");
  expect(both.write?.at(-1)?.last).toBe(true);
});

it.each([
  { data: { repo: "repo-9" }, message: 'helmrepos.application.kubesphere.io "repo-9" not found' },
  { data: { name: "" }, message: "repo name is empty" },
  { data: { name: "other" }, message: "repo exists" },
  { data: { url: "charts" }, message: 'Get "charts/index.yaml": unsupported protocol scheme ""' },
  { data: { syncPeriod: "x" }, message: 'time: invalid duration "x"' },
  { data: {}, credential: "lost" as const, message: "cannot be read any more" },
])("refuses: $message", ({ data, credential, message }) => {
  const other = given(HelmRepo, "repo-2", { spec: { name: "other", url: "https://x" } });
  const decision = edit(data, { repos: [repo, other], credential });
  expect(decision).toMatchObject({ outcome: "refuse", message: expect.stringContaining(message) });
  expect([writesOf(decision), announcedBy(decision)]).toEqual([[], ["repo.action.refused"]]);
});

it("leaves one alone that is being deleted", () => {
  const going = { ...repo, metadata: { ...repo.metadata, deletionTimestamp: LONG_AGO } };
  expect(edit({}, { repos: [going] })).toMatchObject({ outcome: "refuse", reason: "BeingDeleted" });
});
