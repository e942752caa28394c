import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { findCondition } from "../../shared/conditions.ts";
import { PackageUploaded } from "../../shared/events/package.ts";
import { VersionSubmitted } from "../../shared/events/version.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { type DemoCharts, startDemoCharts } from "../support/charts.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { newEvent } from "../support/objects.ts";
import { openStreams, type Streams } from "../support/stream.ts";
import { until } from "../support/until.ts";
import { snapshot } from "./snapshot.ts";
import { type Story, tell, untilFinished, VERSION } from "./story.ts";

let charts: DemoCharts;
let laptop: Laptop;
let streams: Streams;
let story: Story;

beforeAll(async () => {
  charts = await startDemoCharts();
});
afterAll(() => charts?.[Symbol.asyncDispose]());
beforeEach(async () => {
  laptop = await startTestLaptop();
  streams = await openStreams(laptop.natsUrl);
  story = tell(laptop, charts);
});
afterEach(async () => {
  await streams?.[Symbol.asyncDispose]();
  await laptop?.close();
});

const stateOfVersion = async () => (await laptop.kube.get(HelmApplicationVersion, VERSION))?.status?.state;
const reached = (state: string) => until(`version is ${state}`, async () => (await stateOfVersion()) === state);

/** The chain told in its order, each act after the one before took effect. */
async function tellInOrder(): Promise<void> {
  await story.addRepository();
  await story.upload();
  await reached("draft");
  await story.submit();
  await reached("submitted");
  await story.approve();
  await reached("passed");
  await story.release();
  await reached("active");
  await story.request();
  await untilFinished(laptop);
}

const short = ({ type }: { readonly type: string }) => type.replace("io.openpitrix.", "");

async function expectEachEventOnce(): Promise<void> {
  const ids = (await streams.events()).map(({ source, id }) => `${source} ${id}`);
  expect(ids.length).toBe(new Set(ids).size);
  expect(await streams.deadLetters()).toBe(0);
}

describe("the first chain", () => {
  test("goes from a repository and an upload to a running release, with every object and event", async () => {
    await tellInOrder();
    const { kube } = laptop;
    const repo = await kube.get(HelmRepo, "demo");
    expect(repo?.status).toMatchObject({ state: "successful", totalCharts: 2, totalChartVersions: 3 });
    const ofRepo = { labels: { [LABEL.repoId]: "demo" } };
    const apps = await kube.list(HelmApplication, ofRepo);
    expect(apps.map(({ spec }) => spec.name).sort()).toEqual(["clock", "hello-web"]);
    const versions = await kube.list(HelmApplicationVersion, ofRepo);
    expect(versions.map(({ spec, status }) => `${spec.name} ${spec.version} ${status?.state}`).sort()).toEqual([
      "clock 0.3.0 active",
      "hello-web 1.0.0 active",
      "hello-web 1.1.0 active",
    ]);
    const version = await kube.get(HelmApplicationVersion, VERSION);
    expect(version?.status?.audit?.map(({ state, operator }) => [state, operator])).toEqual([
      ["active", "ann"],
      ["passed", "ann"],
      ["submitted", "ann"],
      ["draft", undefined],
    ]);
    const request = await kube.get(HelmRequest, "web");
    expect(request?.status).toMatchObject({ state: "Accepted", release: { namespace: "default" } });
    const [release] = await kube.list(HelmRelease, { namespace: "default" });
    expect(release?.metadata.name).toBe(request?.status?.release?.name);
    expect(findCondition(release?.status?.conditions, "Ready")).toMatchObject({ status: "True" });
    const deployment = await kube.getLive({
      apiVersion: "apps/v1",
      kind: "Deployment",
      namespace: "default",
      name: "web-web",
    });
    expect(deployment).toMatchObject({ status: { readyReplicas: 2 } });
    // Ticks fall where they fall.
    const types = (await streams.events()).map(short).filter((type) => type !== "dev.knative.sources.ping");
    expect(new Set(types)).toEqual(
      new Set([
        "dev.knative.apiserver.ref.add",
        "dev.knative.apiserver.ref.update",
        // A released version gets a repo-id label and so leaves what the source selects.
        "dev.knative.apiserver.ref.delete",
        "repo.sync.requested",
        "repo.sync.started",
        "repo.sync.continued",
        "repo.chart.changed",
        "repo.synced",
        "package.uploaded",
        "version.created",
        "version.state.changed",
        "version.submitted",
        "version.approved",
        "version.released",
        "app.changed",
        "category.counted",
        "release.requested",
        "release.changed",
        "release.deployed",
        "release.check.tick",
        "release.ready",
      ]),
    );
    await expectEachEventOnce();
  });

  test("comes to the same end when everything is told in reversed order at once", async () => {
    await story.request();
    await story.release();
    await story.approve();
    await story.submit();
    await story.upload();
    await story.addRepository();
    await untilFinished(laptop);
    await expectEachEventOnce();
    const reversed = await snapshot(laptop);
    await using other = await disposable(await startTestLaptop());
    const first = laptop;
    try {
      laptop = other.laptop;
      story = tell(laptop, charts);
      await tellInOrder();
      expect(reversed).toEqual(await snapshot(laptop));
    } finally {
      laptop = first;
    }
  });

  test("an event that comes a hundred times at once has its effect once", async () => {
    await story.upload();
    await reached("draft");
    const [uploaded] = laptop.published().filter(({ type }) => type === PackageUploaded.type);
    const submitted = newEvent(VersionSubmitted, { version: VERSION });
    const repeats = Array.from({ length: 100 });
    // Without message ids the stream keeps every copy, and the functions see all of them.
    await Promise.all(repeats.map(() => streams.publishBlindly(submitted)));
    if (uploaded) await Promise.all(repeats.map(() => streams.publishBlindly(uploaded)));
    await reached("submitted");
    await laptop.settled();
    const version = await laptop.kube.get(HelmApplicationVersion, VERSION);
    expect(version?.status?.audit?.map(({ state }) => state)).toEqual(["submitted", "draft"]);
    const events = await streams.events();
    expect(events.filter(({ id }) => id === submitted.id)).toHaveLength(100);
    expect(events.filter(({ id }) => id === uploaded?.id)).toHaveLength(101);
    const moves = events.filter(
      (event) => short(event) === "version.state.changed" && event.causationid === submitted.id,
    );
    expect(moves).toHaveLength(1);
    expect(events.filter((event) => short(event) === "version.created")).toHaveLength(1);
    expect(events.filter((event) => short(event) === "version.action.refused")).toEqual([]);
    expect(await streams.deadLetters()).toBe(0);
  });
});

async function disposable(started: Laptop) {
  return { laptop: started, [Symbol.asyncDispose]: () => started.close() };
}
