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
import { subjectOf } from "../../shared/resource.ts";
import { type DemoCharts, startDemoCharts } from "../support/charts.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { newEvent } from "../support/objects.ts";
import { openStreams } from "../support/stream.ts";
import { contentOf, KINDS, snapshot } from "./snapshot.ts";
import { tellAll, untilFinished } from "./story.ts";

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

/** What every object said after each write to it, in order. */
function watchContents({ kube }: Laptop) {
  const contents = new Map<string, string[]>();
  const abort = new AbortController();
  const loops = KINDS.map(async (kind) => {
    for await (const { type, object } of kube.watch(kind, { signal: abort.signal })) {
      if (type === "DELETED") continue;
      const subject = subjectOf(kind, object.metadata);
      contents.set(subject, [...(contents.get(subject) ?? []), contentOf(object)]);
    }
  });
  return {
    contents,
    async stop() {
      abort.abort();
      await Promise.all(loops);
    },
  };
}

async function tellStory(laptop: Laptop): Promise<void> {
  await tellAll(laptop, charts);
  await laptop.publish(newEvent(VersionRejected, { version: REPOSITORY_VERSION }));
  await laptop.publish(newEvent(RepoSyncTick, {}));
  await untilFinished(laptop, 150_000);
}

const AN_HOUR_MS = 3_600_000;

/** Events for functions that the story does not come to: of things that are not there, and that nobody waits for. */
async function tellExamples(laptop: Laptop, names: readonly string[]): Promise<void> {
  const time = new Date(Date.now() - AN_HOUR_MS).toISOString();
  for (const { name, function: definition } of functions) {
    if (!names.includes(name)) continue;
    await laptop.publish({ ...newEvent(definition.on, definition.on.example), time });
  }
  await laptop.settled({ timeoutMs: 150_000 });
}

/** Functions that have not died at every point yet. */
async function alive(): Promise<readonly string[]> {
  const died = await readdir(crashes);
  return functions.flatMap(({ name }) =>
    died.includes(`${name}.written`) && died.includes(`${name}.published`) ? [] : [name],
  );
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
    const watched = watchContents(laptop);
    await tellStory(laptop);
    const others = await alive();
    await tellExamples(laptop, others);
    const expected = functions.map(({ name }) => name).flatMap((name) => [`${name}.published`, `${name}.written`]);
    expect((await readdir(crashes)).sort()).toEqual(expected.sort());
    await watched.stop();
    for (const [subject, contents] of watched.contents) {
      expect(
        contents.filter((content) => content === contents.at(-1)),
        subject,
      ).toHaveLength(1);
    }
    await using streams = await openStreams(laptop.natsUrl);
    const ids = (await streams.events()).map(({ source, id }) => `${source} ${id}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await streams.deadLetters()).toBe(0);
    await tellStory(calm);
    await tellExamples(calm, others);
    expect(await snapshot(laptop)).toEqual(await snapshot(calm));
  } finally {
    await Promise.all([laptop.close(), calm.close()]);
  }
});
