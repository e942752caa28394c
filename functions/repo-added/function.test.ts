import { expect, it } from "vitest";
import { repoId } from "../../shared/charts/ids.ts";
import { seal } from "../../shared/envelope.ts";
import { RepoAdded } from "../../shared/events/repo.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { announcedBy, given, happened, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const id = repoId("demo", "charts");
const wish = { workspace: "demo", name: "charts", url: "https://charts.example.com", syncPeriod: "90s" };
const sealed = { envelope: "envelope-1", key: seal("").key };
const event = happened(RepoAdded, wish, { operator: "ann" });

it("adds a repository that is synced no oftener than every three minutes, with the period as it was typed", () => {
  const decision = subject.decide({ repos: [], credential: undefined }, event);
  expect(writesOf(decision)).toEqual([`create helmrepos/${id}`]);
  expect(writtenBy(decision, "create", HelmRepo)).toMatchObject([
    {
      metadata: {
        labels: { "kubesphere.io/workspace": "demo" },
        annotations: { "kubesphere.io/creator": "ann", "app.kubesphere.io/sync-period": "90s" },
      },
      spec: { name: "charts", url: "https://charts.example.com", syncPeriod: 180 },
    },
  ]);
  expect(decision.announce).toMatchObject([{ data: { repo: id, name: "charts" } }]);
});

it("puts credentials into a Secret before the repository is there, and makes the repository own it", () => {
  const signed = happened(RepoAdded, { ...wish, credential: sealed });
  const credential = { username: "bob", password: "geheim" };
  const decision = subject.decide({ repos: [], credential }, signed);
  const secret = `apply secrets/openpitrix/${id}-credentials`;
  expect(writesOf(decision)).toEqual([secret, `create helmrepos/${id}`, secret]);
  expect(decision.write?.map(({ last, owner }) => [last, owner?.name])).toEqual([
    [undefined, undefined],
    [true, undefined],
    [true, id],
  ]);
  expect(writtenBy(decision, "apply", Secret)[0]?.data).toMatchObject({
    password: Buffer.from("geheim").toString("base64"),
    token: "",
  });
  expect(writtenBy(decision, "create", HelmRepo)[0]?.spec.secretRef?.name).toBe(`${id}-credentials`);
  expect(decision.forget).toEqual([{ bucket: "envelopes", key: "envelope-1" }]);
  expect(JSON.stringify(decision.announce)).not.toContain("geheim");
  const [made] = writtenBy(decision, "create", HelmRepo);
  if (!made) throw new Error("nothing was made");
  const again = subject.decide({ repos: [made], credential }, signed);
  expect([writesOf(again), announcedBy(again)]).toEqual([[secret], ["repo.changed"]]);
  expect(writesOf(subject.decide({ repos: [made], credential: "lost" }, signed))).toEqual([]);
});

const other = given(HelmRepo, "repo-2", {
  metadata: { labels: { "kubesphere.io/workspace": "demo" } },
  spec: { name: "charts", url: "https://x" },
});

it.each([
  { data: { name: " " }, message: "repo name is empty" },
  { data: {}, repos: [other], message: "repo exists" },
  { data: { url: "" }, message: 'Get "/index.yaml": unsupported protocol scheme ""' },
  { data: { url: "ftp://x/" }, message: 'Get "ftp://x/index.yaml": unsupported protocol scheme "ftp"' },
  { data: { syncPeriod: "often" }, message: 'time: invalid duration "often"' },
  { data: { url: "https://u:p@x" }, message: "the address holds a user name or password, which events must not carry" },
  { data: { credential: sealed }, credential: "lost" as const, message: "cannot be read any more" },
])("refuses: $message", ({ data, repos = [], credential, message }) => {
  const decision = subject.decide({ repos, credential }, happened(RepoAdded, { ...wish, ...data }));
  expect(decision).toMatchObject({ outcome: "refuse", message: expect.stringContaining(message) });
  expect([writesOf(decision), announcedBy(decision)]).toEqual([[], ["repo.action.refused"]]);
});

it("takes the same name in another workspace, and another id where a renamed one has the first", () => {
  const elsewhere = happened(RepoAdded, { ...wish, workspace: "else" });
  expect(subject.decide({ repos: [other], credential: undefined }, elsewhere).outcome).toBe("change");
  const renamed = given(HelmRepo, id, { spec: { name: "old", url: "https://x" } });
  const [made] = writtenBy(subject.decide({ repos: [renamed], credential: undefined }, event), "create", HelmRepo);
  expect(made?.metadata.name).not.toBe(id);
});
