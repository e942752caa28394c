import { expect, test } from "vitest";
import { catalogPlaces, namedPlaces, parentOf, placeItself, pushedPlaces } from "./oci-places.ts";

const AT = { host: "h", repository: "store" };
const ROOT = { host: "h", repository: "" };
const at = (repository: string, chart: string) => ({ chart, host: "h", repository });

test("charts that are named lie right below the address", () => {
  expect(namedPlaces(AT, ["web", "db", "web"])).toEqual([at("store/web", "web"), at("store/db", "db")]);
  expect(namedPlaces(ROOT, ["web"])).toEqual([at("web", "web")]);
  for (const chart of ["team/web", "WEB", "..", "", "a b"]) {
    expect(() => namedPlaces(AT, [chart])).toThrow("is no name of a chart in a registry");
  }
});

test("an address may be a chart itself, a registry is none", () => {
  expect(placeItself(AT)).toEqual(at("store", "store"));
  expect(placeItself({ host: "h", repository: "a/b" })).toEqual(at("a/b", "b"));
  expect(placeItself(ROOT)).toBeUndefined();
});

test("a catalog shows what is ours, what lies deeper and what is not ours", () => {
  const names = ["store/web", "store/team/web", "storefront/x", "store", "store/web", "store/../x", "other"];
  expect(catalogPlaces(AT, names)).toEqual({
    direct: [at("store/web", "web")],
    deeper: [at("store/team/web", "team/web")],
  });
  expect(catalogPlaces(ROOT, ["web", "a/b"])).toEqual({ direct: [at("web", "web")], deeper: [at("a/b", "a/b")] });
  expect(parentOf(at("store/team/web", "team/web"))).toBe("oci://h/store/team");
});

test("a catalog may not show too much", () => {
  const names = Array.from({ length: 10_001 }, (_, number) => `store/c${number}`);
  expect(() => catalogPlaces(AT, names)).toThrow("10001 repositories below /store, more than 10000; name the charts");
});

test("a pushed chart is looked for below the address, or at it", () => {
  expect(pushedPlaces(AT, [], "web")).toEqual([at("store/web", "web")]);
  expect(pushedPlaces(AT, [], "store")).toEqual([at("store", "store"), at("store/store", "store")]);
  expect(pushedPlaces(AT, ["web"], "web")).toEqual([at("store/web", "web")]);
  expect(pushedPlaces(AT, ["web"], "db")).toEqual([]);
  for (const chart of ["team/web", "../x", "WEB"]) expect(pushedPlaces(AT, [], chart)).toEqual([]);
});
