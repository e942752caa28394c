import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { functions, httpFunctions } from "../../functions/index.ts";
import { eventGraph } from "../../knative/generate/event-graph.ts";
import { eventName } from "../../shared/event.ts";

const FUNCTIONS = fileURLToPath(new URL("../../functions/", import.meta.url));
const nodes = eventGraph(functions, httpFunctions);

/** Facts that no function of ours handles: they are for people, dashboards and other systems. */
const FACTS = [
  "io.openpitrix.app.action.refused",
  "io.openpitrix.attachment.action.refused",
  "io.openpitrix.attachment.changed",
  "io.openpitrix.category.action.refused",
  "io.openpitrix.category.changed",
  "io.openpitrix.category.counted",
  "io.openpitrix.chart.fetched",
  "io.openpitrix.chart.refused",
  "io.openpitrix.package.refused",
  "io.openpitrix.release.deployed",
  "io.openpitrix.release.failed",
  "io.openpitrix.release.ready",
  "io.openpitrix.release.refused",
  "io.openpitrix.repo.action.refused",
  "io.openpitrix.repo.changed",
  "io.openpitrix.repo.chart.changed",
  "io.openpitrix.repo.sync.failed",
  "io.openpitrix.repo.version.quarantined",
  "io.openpitrix.storage.swept",
  "io.openpitrix.verification.completed",
  "io.openpitrix.version.changed",
  "io.openpitrix.version.created",
  "io.openpitrix.workspace.cleared",
];

test("every event that is announced is handled, or listed as a fact", () => {
  const unhandled = nodes.filter(({ to }) => to.length === 0).map(({ definition }) => definition.type);
  expect(unhandled).toEqual(FACTS);
});

test("every event that is handled is announced by a function, of HTTP requests for one, or has an origin", () => {
  const orphans = nodes.filter(({ from, definition }) => from.length === 0 && !definition.origin);
  expect(orphans.map(({ definition }) => definition.type)).toEqual([]);
});

test("one definition per type: no two events share a name", () => {
  const definitions = new Set([
    ...functions.flatMap(({ function: { on, emits } }) => [on, ...emits]),
    ...httpFunctions.flatMap(({ emits }) => emits),
  ]);
  expect(definitions.size).toBe(nodes.length);
});

describe.each(nodes.map(({ definition }) => [definition.type, definition] as const))("%s", (type, definition) => {
  test("is named as a noun and what became of it", () => {
    expect(type).toMatch(/^io\.openpitrix(\.[a-z]+){2,3}$/);
    expect(definition.summary).toMatch(/\.$/);
  });

  test("has an example that its schema takes as it is", () => {
    expect(definition.data.parse(definition.example)).toEqual(definition.example);
  });

  test("refuses data that is no object", () => {
    expect(definition.data.safeParse("nonsense").success).toBe(false);
  });
});

test("each function bears the name of its event, and its folder bears it too", () => {
  for (const { name, function: definition } of functions) {
    expect(name).toBe(eventName(definition.on));
    expect(existsSync(`${FUNCTIONS}${name}/function.ts`), name).toBe(true);
  }
});

test("each folder's function is registered, once", () => {
  const entries = readdirSync(FUNCTIONS, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  expect([...functions, ...httpFunctions].map(({ name }) => name).sort()).toEqual(folders.sort());
});
