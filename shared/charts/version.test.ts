import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compareVersions,
  isConstraint,
  isHelmVersion,
  isStrictSemver,
  latestVersion,
  newestFirst,
  resolveVersion,
  satisfies,
} from "./version.ts";

const identifier = fc.oneof(fc.nat(30).map(String), fc.stringMatching(/^[a-zA-Z-][0-9a-zA-Z-]{0,3}$/));
const number = fc.oneof(
  fc.nat(12).map(String),
  fc.constantFrom("00", "01", "9007199254740991", "99999999999999999999"),
);
const version = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(
        fc.constantFrom("", "v"),
        fc.array(number, { minLength: 1, maxLength: 3 }),
        fc.array(identifier, { maxLength: 3 }),
        fc.array(identifier, { maxLength: 2 }),
      )
      .map(
        ([v, core, pre, build]) =>
          v + core.join(".") + (pre.length ? `-${pre.join(".")}` : "") + (build.length ? `+${build.join(".")}` : ""),
      ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
);

describe("the order of versions", () => {
  test("is a total order: reflexive, antisymmetric, transitive", () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(compareVersions(a, a)).toBe(0);
        expect(Math.sign(compareVersions(a, b)) + Math.sign(compareVersions(b, a))).toBe(0);
        const [x, y, z] = [a, b, c].sort(compareVersions) as [string, string, string];
        expect(compareVersions(x, y)).toBeLessThanOrEqual(0);
        expect(compareVersions(y, z)).toBeLessThanOrEqual(0);
        expect(compareVersions(x, z)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 3000 },
    );
  });

  test("follows Helm: v, zeros and missing parts are read, unreadable is last, equals keep their places", () => {
    const given = ["abc", "v1.2", "1.2.0-alpha", "1.2.0+b", "", "1.2.0+a", "01.3.0", "1.0"];
    expect(newestFirst(given, (v) => v)).toEqual([
      "01.3.0",
      "v1.2",
      "1.2.0+b",
      "1.2.0+a",
      "1.2.0-alpha",
      "1.0",
      "abc",
      "",
    ]);
  });

  test("puts prereleases in SemVer's order", () => {
    const order = ["1.0.0-0", "1.0.0-2", "1.0.0-11", "1.0.0-Z", "1.0.0-a", "1.0.0-a.1", "1.0.0-a.b", "1.0.0"];
    expect([...order].reverse().sort(compareVersions)).toEqual(order);
  });
});

test.each([
  ["1", true, false],
  ["1.2", true, false],
  ["v1.2.3", true, true],
  ["01.2.3", true, true],
  ["1.2.3-beta+x", true, true],
  ["v3.9-build2022102805", true, false],
  ["1.2.3-01", false, false],
  ["1.2.3.4", false, false],
  ["1.2.3beta", false, false],
  ["V1.2.3", false, false],
  ["1.2.3-", false, false],
  [" 1.2.3", false, false],
  ["1.0_1", false, false],
  ["1.0.99999999999999999999999", false, false],
  ["", false, false],
  [`1.0.0-${"a".repeat(300)}`, false, false],
])("%j: readable for Helm %s, complete %s", (text, readable, complete) => {
  expect(isHelmVersion(text)).toBe(readable);
  expect(isStrictSemver(text)).toBe(complete);
});

test("the latest version is a version name, chosen by its chart version", () => {
  expect(latestVersion(["1.9.0 [2.0]", "1.10.0 [1.0]", "nonsense", "1.10.0-rc1"])).toBe("1.10.0 [1.0]");
  expect(latestVersion(["v2 [x]", "2.0.0"])).toBe("v2 [x]");
  expect(latestVersion(["nonsense"])).toBe("");
  expect(latestVersion([])).toBe("");
});

describe("constraints", () => {
  const versions = ["2.0.0-alpha", "1.9.0", "1.9.0-rc1", "1.0.7", "0.0.5", "1.10.0-beta"];

  // What Helm 4.1.4 pulls from an index with these versions.
  test.each([
    ["", "1.9.0"],
    ["*", "1.9.0"],
    ["x", "1.9.0"],
    [">=0-0", "2.0.0-alpha"],
    ["^1.9.0-0", "1.10.0-beta"],
    [">1.0.0-0 <2", "2.0.0-alpha"],
    ["1.9", "1.9.0"],
    ["v1.9", "1.9.0"],
    ["=1.9", "1.9.0"],
    ["~1.9.0-0", "1.9.0"],
    ["!=1.9.0", "1.0.7"],
    [">=1.9.0-rc1, <1.9.0", "1.9.0-rc1"],
    ["~1.0", "1.0.7"],
    ["~>1.0", "1.0.7"],
    ["1.0.x", "1.0.7"],
    ["^2.0.0-0", "2.0.0-alpha"],
    ["1.0 - 1.9", "1.9.0"],
    ["<1.9 || >1.9.0-beta", "2.0.0-alpha"],
    [">1.9", undefined],
    [">1", undefined],
    ["~0.0.0", "1.9.0"],
    ["1.9.0-rc1", "1.9.0-rc1"],
    ["<=1.9.0-rc9", "1.9.0-rc1"],
    ["=>1.9", "1.9.0"],
    [">=1.9,<2", "1.9.0"],
    [">= 1.9 < 2", "1.9.0"],
    ["^0.0.5", "0.0.5"],
    ["^0", "0.0.5"],
    ["<2.0.0-b", "2.0.0-alpha"],
    ["foo", undefined],
  ])("%j resolves to %s", (constraint, expected) => {
    expect(resolveVersion(versions, constraint)).toBe(expected);
  });

  test("says which texts are no constraint", () => {
    for (const bad of ["foo", ">", "1.2.3.4", ">=1.0,,foo", "1.0 ||| 2", "^", "x".repeat(100_000)])
      expect(isConstraint(bad), bad).toBe(false);
    for (const good of ["", "*", "1.x.x", ">=1.0,<2", "1.0 || 2"]) expect(isConstraint(good), good).toBe(true);
  });

  test("any text is answered, every readable version satisfies itself", () => {
    fc.assert(
      fc.property(version, fc.string({ maxLength: 20 }), (v, text) => {
        expect(typeof satisfies(v, text)).toBe("boolean");
        if (isHelmVersion(v)) expect(satisfies(v, `>=${v}`), v).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
