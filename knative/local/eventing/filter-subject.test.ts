import { expect, test } from "vitest";
import type { TriggerFilter } from "./filter.ts";
import { subjectFilter, typeFilterOf } from "./filter-subject.ts";

test.each<[TriggerFilter, string]>([
  [{}, "openpitrix.events.>"],
  [{ filter: { attributes: { type: "io.a.b" } } }, "openpitrix.events.io.a.b"],
  [{ filter: { attributes: { source: "/x" } } }, "openpitrix.events.>"],
  [{ filters: [{ exact: { type: "io.a.b", source: "/x" } }] }, "openpitrix.events.io.a.b"],
  [{ filters: [{ prefix: { type: "io.a." } }] }, "openpitrix.events.io.a.>"],
  [{ filters: [{ prefix: { type: "io.a.b" } }] }, "openpitrix.events.io.a.>"],
  [{ filters: [{ prefix: { type: "io" } }] }, "openpitrix.events.>"],
  [
    { filters: [{ all: [{ prefix: { type: "io." } }, { prefix: { type: "io.a.b." } }] }] },
    "openpitrix.events.io.a.b.>",
  ],
  [{ filters: [{ prefix: { type: "io." } }, { exact: { type: "io.a.b" } }] }, "openpitrix.events.io.a.b"],
  [{ filters: [{ any: [{ exact: { type: "io.a" } }, { exact: { type: "io.b" } }] }] }, "openpitrix.events.>"],
  [{ filters: [{ not: { exact: { type: "io.a" } } }] }, "openpitrix.events.>"],
])("%j reads %s", (filter, subject) => {
  expect(subjectFilter(typeFilterOf(filter))).toBe(subject);
});
