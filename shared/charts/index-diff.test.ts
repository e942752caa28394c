import fc from "fast-check";
import { expect, test } from "vitest";
import { type ChartChange, diffIndex, digestsOf, type IndexDigests } from "./index-diff.ts";

const name = fc.constantFrom("a", "b", "c", "constructor", "__proto__", "1.0.0", "10");
const index: fc.Arbitrary<IndexDigests> = fc.dictionary(
  name,
  fc.dictionary(name, fc.constantFrom("", "d1", "d2"), { maxKeys: 5 }),
  { maxKeys: 5 },
);

/** Plays changes onto an index as a reader of the events would. */
function apply(previous: IndexDigests, changes: readonly ChartChange[], current: IndexDigests): Map<string, string> {
  const flat = flatten(previous);
  for (const { chart, added, redigested, withdrawn } of changes) {
    for (const version of added) flat.set(`${chart} ${version}`, flatten(current).get(`${chart} ${version}`) ?? "?");
    for (const { version, now } of redigested) flat.set(`${chart} ${version}`, now);
    for (const version of withdrawn) flat.delete(`${chart} ${version}`);
  }
  return flat;
}

function flatten(index: IndexDigests): Map<string, string> {
  const rows = Object.entries(index).flatMap(([chart, versions]) =>
    Object.entries(versions).map(([version, digest]) => [`${chart} ${version}`, digest] as const),
  );
  return new Map(rows);
}

test("the changes lead from the one index to the other, digests that come or go aside", () => {
  fc.assert(
    fc.property(index, index, (previous, current) => {
      const result = apply(previous, diffIndex(previous, current), current);
      const expected = flatten(current);
      expect([...result.keys()].sort()).toEqual([...expected.keys()].sort());
      for (const [key, digest] of result) {
        const wanted = expected.get(key);
        if (digest !== "" && wanted !== "") expect(digest).toBe(wanted);
      }
    }),
    { numRuns: 2000 },
  );
});

test("an index does not differ from itself; the way back swaps added and withdrawn", () => {
  fc.assert(
    fc.property(index, index, (a, b) => {
      expect(diffIndex(a, a)).toEqual([]);
      const back = new Map(diffIndex(b, a).map((change) => [change.chart, change]));
      for (const { chart, added, redigested, withdrawn } of diffIndex(a, b)) {
        expect([...(back.get(chart)?.withdrawn ?? [])].sort()).toEqual([...added].sort());
        expect([...(back.get(chart)?.added ?? [])].sort()).toEqual([...withdrawn].sort());
        expect(back.get(chart)?.redigested).toHaveLength(redigested.length);
      }
    }),
    { numRuns: 2000 },
  );
});

test("names every kind of change", () => {
  const previous = {
    kept: { "1.0.0": "x" },
    gone: { "1.0.0": "x" },
    redis: { "1.0.0": "x", "0.9.0": "y", "0.8.0": "" },
  };
  const current = { kept: { "1.0.0": "x" }, redis: { "1.1.0": "z", "1.0.0": "other", "0.8.0": "now known" } };
  expect(diffIndex(previous, current)).toEqual([
    { chart: "gone", added: [], redigested: [], withdrawn: ["1.0.0"] },
    {
      chart: "redis",
      added: ["1.1.0"],
      redigested: [{ version: "1.0.0", before: "x", now: "other" }],
      withdrawn: ["0.9.0"],
    },
  ]);
});

test("takes the digests of a parsed index", () => {
  const base = { name: "redis", apiVersion: "v2", urls: ["u"] };
  const versions = [
    { ...base, version: "2.0.0", digest: "d" },
    { ...base, version: "1.0.0" },
  ];
  expect(digestsOf([{ name: "redis", versions }])).toEqual({ redis: { "2.0.0": "d", "1.0.0": "" } });
});
