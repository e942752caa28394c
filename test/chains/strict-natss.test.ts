import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLocalLog } from "../../knative/local/local-log.ts";
import { VersionSubmitted } from "../../shared/events/version.ts";
import { type DemoCharts, startDemoCharts } from "../support/charts.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { newEvent } from "../support/objects.ts";
import { openStreams } from "../support/stream.ts";
import { snapshot } from "./snapshot.ts";
import { tellAll, untilFinished } from "./story.ts";

let charts: DemoCharts;

beforeAll(async () => {
  charts = await startDemoCharts();
});
afterAll(() => charts?.[Symbol.asyncDispose]());

test("the chain ends the same where a refused event is lost and replies are best effort", {
  timeout: 150_000,
}, async () => {
  const strict = await startTestLaptop({ processes: true, strictNatss: true });
  const calm = await startTestLaptop();
  try {
    const outcomes = new Set<string>();
    strict.onHandled(({ outcome }) => outcomes.add(outcome.kind));
    // The acts come before the version is there, so that functions have to ask for the same events again.
    for (const laptop of [strict, calm]) await tellAll(laptop, charts);
    await untilFinished(strict, 120_000);
    await untilFinished(calm);
    expect(await snapshot(strict)).toEqual(await snapshot(calm));
    await using streams = await openStreams(strict.natsUrl);
    expect(await streams.deadLetters()).toBe(0);
    expect(outcomes).toContain("done");
    expect(outcomes).not.toContain("dead");
  } finally {
    await strict.close();
    await calm.close();
  }
});

test("a function that answers 404 loses its events, as with natss", async () => {
  const entry = join(import.meta.dirname, "refusing-function.ts");
  const laptop = await startTestLaptop({ processes: { entry }, strictNatss: true, log: createLocalLog("silent") });
  try {
    await laptop.publish(newEvent(VersionSubmitted, { version: "appv-none" }));
    // Knative's own brokers would have it come again for minutes.
    await laptop.settled();
    await using streams = await openStreams(laptop.natsUrl);
    expect(await streams.deadLetters()).toBe(0);
  } finally {
    await laptop.close();
  }
});
