import { expect, test } from "vitest";
import type { TriggerFilter } from "./filter.ts";
import { subjectFilter, typeFilterOf } from "./filter-subject.ts";

test.each<[TriggerFilter, string]>([
  [{}, "events.>"],
  [{ filter: { attributes: { type: "io.a.b" } } }, "events.io.a.b"],
  [{ filter: { attributes: { source: "/x" } } }, "events.>"],
  [{ filters: [{ exact: { type: "io.a.b", source: "/x" } }] }, "events.io.a.b"],
  [{ filters: [{ prefix: { type: "io.a." } }] }, "events.io.a.>"],
  [{ filters: [{ prefix: { type: "io.a.b" } }] }, "events.io.a.>"],
  [{ filters: [{ prefix: { type: "io" } }] }, "events.>"],
  [{ filters: [{ all: [{ prefix: { type: "io." } }, { prefix: { type: "io.a.b." } }] }] }, "events.io.a.b.>"],
  [{ filters: [{ prefix: { type: "io." } }, { exact: { type: "io.a.b" } }] }, "events.io.a.b"],
  [{ filters: [{ any: [{ exact: { type: "io.a" } }, { exact: { type: "io.b" } }] }] }, "events.>"],
  [{ filters: [{ not: { exact: { type: "io.a" } } }] }, "events.>"],
])("%j reads %s", (filter, subject) => {
  expect(subjectFilter("events", typeFilterOf(filter))).toBe(subject);
});
