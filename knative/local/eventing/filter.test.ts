import { expect, test } from "vitest";
import type { Event } from "../../../shared/event.ts";
import { compileTriggerFilter, type TriggerFilter } from "./filter.ts";

const event: Event = {
  specversion: "1.0",
  id: "1",
  source: "/apis/v1/namespaces/openpitrix/pingsources/tick",
  type: "dev.knative.sources.ping",
  subject: "helmrepos/web",
  partitionkey: "repo-1",
  extensions: { kind: "HelmRepo", attempt: 3 },
  data: {},
};

const passes = (filter: TriggerFilter) => compileTriggerFilter(filter)(event);

test.each<[string, TriggerFilter, boolean]>([
  ["nothing at all", {}, true],
  ["an empty list", { filters: [] }, true],
  ["attributes that all match", { filter: { attributes: { type: event.type, kind: "HelmRepo" } } }, true],
  ["an attribute that differs", { filter: { attributes: { type: event.type, kind: "Helmrepo" } } }, false],
  ["an empty attribute value for one that is there", { filter: { attributes: { kind: "" } } }, true],
  ["an empty attribute value for one that is missing", { filter: { attributes: { nope: "" } } }, false],
  ["a number as attribute text", { filter: { attributes: { attempt: "3" } } }, false],
  ["a number in exact", { filters: [{ exact: { attempt: "3" } }] }, true],
  ["an exact own attribute", { filters: [{ exact: { partitionkey: "repo-1" } }] }, true],
  ["an exact pair with an empty value", { filters: [{ exact: { type: "" } }] }, true],
  ["a prefix", { filters: [{ prefix: { type: "dev.knative." } }] }, true],
  ["a prefix that does not match", { filters: [{ prefix: { type: "io." } }] }, false],
  ["a prefix of a missing attribute", { filters: [{ prefix: { nope: "x" } }] }, false],
  ["a suffix", { filters: [{ suffix: { type: ".ping" } }] }, true],
  ["not a prefix of a missing attribute", { filters: [{ not: { prefix: { nope: "x" } } }] }, true],
  [
    "any with one that holds",
    { filters: [{ any: [{ exact: { kind: "x" } }, { exact: { kind: "HelmRepo" } }] }] },
    true,
  ],
  [
    "all with one that fails",
    { filters: [{ all: [{ exact: { kind: "x" } }, { exact: { kind: "HelmRepo" } }] }] },
    false,
  ],
  ["a list of which one fails", { filters: [{ prefix: { type: "dev." } }, { exact: { kind: "x" } }] }, false],
  ["filters before filter", { filter: { attributes: { type: "x" } }, filters: [{ prefix: { type: "dev." } }] }, true],
  ["cesql that holds", { filters: [{ cesql: "kind = 'HelmRepo' AND attempt < 4" }] }, true],
  ["cesql that does not hold", { filters: [{ cesql: "subject LIKE 'helmreleases/%'" }] }, false],
  ["cesql that asks for a missing attribute", { filters: [{ cesql: "nope != 'x'" }] }, false],
  ["the opposite of cesql that cannot be evaluated", { filters: [{ not: { cesql: "nope = 'x'" } }] }, true],
  ["cesql that gives a number", { filters: [{ cesql: "attempt - 3" }] }, false],
  ["cesql that gives a text", { filters: [{ cesql: "kind" }] }, false],
  ["empty cesql", { filters: [{ cesql: "" }] }, true],
  ["the data member is no attribute", { filters: [{ exact: { data: "[object Object]" } }] }, false],
])("%s", (_, filter, expected) => {
  expect(passes(filter)).toBe(expected);
});

test.each<[string, TriggerFilter, RegExp]>([
  ["two dialects in one entry", { filters: [{ exact: { type: "a" }, suffix: { type: "b" } }] }, /exactly one dialect/],
  ["no dialect in an entry", { filters: [{}] }, /exactly one dialect/],
  [
    "cesql that cannot be parsed",
    { filters: [{ not: { cesql: "type LIKE 5" } }] },
    /cesql "type LIKE 5": expected a pattern in quotes after LIKE, found 5 at character 11/,
  ],
])("refuses %s", (_, filter, message) => {
  expect(() => compileTriggerFilter(filter)).toThrow(message);
});
