import { expect, it } from "vitest";
import { readIndex } from "../../shared/charts/index-reader.ts";
import { RepoSyncContinued } from "../../shared/events/repo.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { type IndexItem, indexText } from "../../test/support/index-text.ts";
import { announcedBy, given, happened, LONG_AGO, NOW } from "../../test/support/objects.ts";
import subject from "./function.ts";
import { gather, type StepPorts } from "./gather.ts";

const data = { repo: "repo-1", sync: "event-0", from: "sha256:00", to: "sha256:11", all: false, limit: 10, after: "" };
const event = happened(RepoSyncContinued, data);
const spec = { name: "charts", url: "https://charts.example.com" };
const sync = { id: "event-0", reason: "due", startedTime: LONG_AGO, renewedTime: LONG_AGO, to: "sha256:11", after: "" };

const stored = async (charts: Readonly<Record<string, readonly IndexItem[]>>) =>
  (await readIndex(ReadableStream.from([Buffer.from(indexText(charts))]))).stored;
const indexes: Readonly<Record<string, Uint8Array>> = {
  "repo-1/sha256:00": await stored({ db: ["1.0.0"], web: ["1.0.0"] }),
  "repo-1/sha256:11": await stored({ db: ["1.0.0"], web: ["1.0.0", "1.1.0"] }),
};

function ports(status: NonNullable<HelmRepo["status"]>, over: Partial<StepPorts> = {}): StepPorts {
  const repo = given(HelmRepo, "repo-1", { spec, status });
  const orphan = given(HelmApplication, "app-left", {
    metadata: { labels: { [LABEL.repoId]: "repo-1" } },
    spec: { name: "left" },
  });
  return {
    kube: {
      get: async (kind) => (kind.kind === "HelmRepo" ? (repo as never) : undefined),
      list: async (kind) => (kind.kind === "HelmApplication" ? [orphan as never] : []),
    },
    blobs: { get: async (_, key) => indexes[key], put: async () => undefined, remove: async () => undefined },
    clock: { now: () => NOW },
    ...over,
  };
}

it("looks at the charts that changed, and at all objects of the repository where all charts are looked at", async () => {
  const world = await gather(event, ports({ sync }));
  expect(world).toMatchObject({ plan: "write", step: { last: true }, works: [{ chart: "web" }] });
  const all = await gather({ ...event, data: { ...data, all: true } }, ports({ sync }));
  expect(all).toMatchObject({
    works: [{ chart: "db" }, { chart: "web" }, { chart: "left", appId: "app-left", wanted: [] }],
  });
});

it("tells the same facts again when its step is done, also after another sync has begun or ended", async () => {
  const first = await gather(event, ports({ sync }));
  if (first.plan !== "write") throw new Error("nothing is to be written");
  const facts = subject.decide(first, event).announce?.filter(({ type }) => type.endsWith("chart.changed"));
  const later = [
    { sync: { ...sync, after: "web" } },
    { sync: { ...sync, id: "event-9" } },
    { lastSyncEvent: "event-9" },
  ];
  for (const status of later) {
    const again = await gather(event, ports(status));
    expect(again.plan).toBe("repeat");
    const decision = subject.decide(again, event);
    expect(decision.write).toBeUndefined();
    expect(decision.announce?.filter(({ type }) => type.endsWith("chart.changed"))).toEqual(facts);
  }
  expect(facts?.map((fact) => fact.data)).toMatchObject([{ chart: "web", added: ["1.1.0"] }]);
});

it("says that an index is lost, or nothing where the sync is over anyway", async () => {
  const none = { blobs: { get: async () => undefined, put: async () => undefined, remove: async () => undefined } };
  expect(await gather(event, ports({ sync }, none))).toMatchObject({ plan: "lost" });
  const over = await gather(event, ports({}, none));
  expect(over).toEqual({ plan: "none" });
  expect(announcedBy(subject.decide(over, event))).toEqual([]);
});
