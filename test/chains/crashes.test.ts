import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { functions } from "../../functions/index.ts";
import type { Laptop } from "../../knative/local/laptop.ts";
import { createLocalLog } from "../../knative/local/local-log.ts";
import { appId, versionId } from "../../shared/charts/ids.ts";
import { RepoSyncTick } from "../../shared/events/repo.ts";
import { VersionRejected } from "../../shared/events/version.ts";
import type { KubeObject } from "../../shared/resource.ts";
import { subjectOf } from "../../shared/resource.ts";
import { type DemoCharts, startDemoCharts } from "../support/charts.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { newEvent } from "../support/objects.ts";
import { openStreams } from "../support/stream.ts";
import { KINDS, snapshot } from "./snapshot.ts";
import { tell, untilFinished } from "./story.ts";

/** A version of the repository: rejecting it is refused by the rules, and the refusal is written and told. */
const REPOSITORY_VERSION = versionId(appId({ repo: "demo" }, "clock"), "0.3.0");

let charts: DemoCharts;
let crashes: string;

beforeAll(async () => {
  charts = await startDemoCharts();
  crashes = await mkdtemp(join(tmpdir(), "openpitrix-crashes-"));
});
afterAll(async () => {
  await charts?.[Symbol.asyncDispose]();
  await rm(crashes, { recursive: true, force: true });
});

/** The states every object went through, in order, without repeats of the same state in a row. */
function watchStates({ kube }: Laptop) {
  const states = new Map<string, string[]>();
  const abort = new AbortController();
  const loops = KINDS.map(async (kind) => {
    for await (const { type, object } of kube.watch(kind, { signal: abort.signal })) {
      if (type === "DELETED") continue;
      const subject = subjectOf(kind, object.metadata);
      const seen = states.get(subject) ?? [];
      states.set(subject, seen);
      const state = stateOf(object);
      if (seen.at(-1) !== state) seen.push(state);
    }
  });
  return {
    states,
    async stop() {
      abort.abort();
      await Promise.all(loops);
    },
  };
}

function stateOf(object: KubeObject): string {
  const { status } = object as KubeObject & { readonly status?: { readonly state?: string } };
  return status?.state ?? "";
}

async function tellStory(laptop: Laptop): Promise<void> {
  const story = tell(laptop, charts);
  await story.addRepository();
  await story.upload();
  await story.submit();
  await story.approve();
  await story.release();
  await story.request();
  await laptop.publish(newEvent(VersionRejected, { version: REPOSITORY_VERSION }));
  await laptop.publish(newEvent(RepoSyncTick, {}));
  await untilFinished(laptop, 150_000);
}

test("killed at every function between write and publish and between publish and answer, the chain ends the same", {
  timeout: 240_000,
}, async () => {
  const entry = join(import.meta.dirname, "crashing-function.ts");
  const laptop = await startTestLaptop({
    processes: { entry, env: { CRASHES: crashes } },
    // Every death is meant.
    log: createLocalLog("silent"),
  });
  const calm = await startTestLaptop();
  try {
    const watched = watchStates(laptop);
    await tellStory(laptop);
    const expected = functions.map(({ name }) => name).flatMap((name) => [`${name}.published`, `${name}.written`]);
    expect((await readdir(crashes)).sort()).toEqual(expected.sort());
    await watched.stop();
    for (const [subject, states] of watched.states) {
      expect(new Set(states).size, `${subject} went ${states.join(", ")}`).toBe(states.length);
    }
    await using streams = await openStreams(laptop.natsUrl);
    const ids = (await streams.events()).map(({ source, id }) => `${source} ${id}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await streams.deadLetters()).toBe(0);
    await tellStory(calm);
    expect(await snapshot(laptop)).toEqual(await snapshot(calm));
  } finally {
    await Promise.all([laptop.close(), calm.close()]);
  }
});
