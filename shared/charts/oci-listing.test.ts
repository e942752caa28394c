import { expect, test } from "vitest";
import type { ChartEntry } from "./index-file.ts";
import {
  chartTags,
  keptVersions,
  knownManifest,
  type ListedChart,
  listingEtag,
  versionUrls,
  wantedTags,
} from "./oci-listing.ts";
import { tagOfVersion } from "./oci-reference.ts";

const digest = (digit: string) => `sha256:${digit.repeat(64)}`;

function listed(chart: string, tags: readonly string[], looked: Record<string, string> = {}): ListedChart {
  const { versions } = chartTags(tags);
  return { chart, host: "h", repository: `store/${chart}`, versions, looked: new Map(Object.entries(looked)) };
}

/** A chart as it is known after its tags were read, each with a manifest of its own. */
function known(chart: string, versions: Record<string, string>): ChartEntry {
  const place = { chart, host: "h", repository: `store/${chart}` };
  return {
    name: chart,
    versions: Object.entries(versions).map(([version, manifest]) => ({
      name: chart,
      version,
      apiVersion: "v2",
      urls: versionUrls({ ...place, tag: tagOfVersion(version) }, manifest),
    })),
  };
}

test("tags that are versions come newest first, the others are named, those of signatures are not", () => {
  const signature = `sha256-${"a".repeat(64)}`;
  const tags = [
    "1.9.0",
    "latest",
    "1.10.0",
    "v2.0.0",
    "1.10.0_b2",
    "1.10",
    "1",
    signature,
    `${signature}.sig`,
    "1.9.0",
  ];
  expect(chartTags(tags)).toEqual({
    versions: ["v2.0.0", "1.10.0", "1.10.0_b2", "1.9.0"],
    others: ["1", "1.10", "latest"],
  });
});

test("the etag stands for tags and looked-at manifests, not for their order", () => {
  const [a, b] = [listed("a", ["1.0.0", "2.0.0"], { "2.0.0": digest("1") }), listed("b", ["1.0.0"])];
  const etag = listingEtag([a, b]);
  expect(listingEtag([b, listed("a", ["2.0.0", "1.0.0"], { "2.0.0": digest("1") })])).toBe(etag);
  const others = [
    [a],
    [a, listed("b", ["1.0.1"])],
    [listed("a", ["1.0.0", "2.0.0"], { "2.0.0": digest("2") }), b],
    [{ ...a, repository: "store/other" }, b],
    [{ ...a, chart: "c" }, b],
  ];
  for (const other of others) expect(listingEtag(other)).not.toBe(etag);
});

test("unknown tags are wanted, the newest of every chart first", () => {
  const charts = [listed("b", ["1.0.0", "3.0.0"]), listed("a", ["1.0.0", "2.0.0", "3.0.0"])];
  const order = (wanted: ReturnType<typeof wantedTags>) => wanted.map(({ chart, tag }) => `${chart} ${tag}`);
  expect(order(wantedTags(charts, () => undefined))).toEqual(["a 3.0.0", "b 3.0.0", "a 2.0.0", "b 1.0.0", "a 1.0.0"]);
  const entry = known("a", { "3.0.0": digest("3"), "1.0.0": digest("1") });
  expect(order(wantedTags(charts, (chart) => (chart === "a" ? entry : undefined)))).toEqual([
    "b 3.0.0",
    "a 2.0.0",
    "b 1.0.0",
  ]);
});

test("a tag that names another manifest is wanted again; what was not looked at is believed", () => {
  const entry = known("a", { "2.0.0+x": digest("2"), "1.0.0": digest("1") });
  const same = listed("a", ["1.0.0", "2.0.0_x"], { "2.0.0_x": digest("2") });
  expect(wantedTags([same], () => entry)).toEqual([]);
  expect(keptVersions(same, entry)).toEqual(entry.versions);
  const again = listed("a", ["1.0.0", "2.0.0_x"], { "2.0.0_x": digest("9") });
  expect(wantedTags([again], () => entry).map(({ tag }) => tag)).toEqual(["2.0.0_x"]);
  expect(keptVersions(again, entry).map(({ version }) => version)).toEqual(["1.0.0"]);
});

test("versions whose tag is gone, or that were read from another place, are not kept", () => {
  const entry = known("a", { "2.0.0": digest("2"), "1.0.0": digest("1") });
  expect(keptVersions(listed("a", ["1.0.0"]), entry).map(({ version }) => version)).toEqual(["1.0.0"]);
  const moved = { ...listed("a", ["1.0.0", "2.0.0"]), host: "other" };
  expect(keptVersions(moved, entry)).toEqual([]);
  expect(wantedTags([moved], () => entry)).toHaveLength(2);
  expect(keptVersions(moved, undefined)).toEqual([]);
});

test("the manifest of a known version is read from its second address, or not at all", () => {
  const place = { chart: "a", host: "h", repository: "store/a" };
  const version = { name: "a", version: "1.0.0", apiVersion: "v2" };
  const [byTag = "", byDigest = ""] = versionUrls({ ...place, tag: "1.0.0" }, digest("1"));
  expect(knownManifest(place, { ...version, urls: [byTag, byDigest] })).toBe(digest("1"));
  for (const urls of [
    [],
    [byTag],
    [byDigest, byTag],
    [byTag, "https://h/a.tgz"],
    [byTag, `oci://x/a@${digest("1")}`],
  ]) {
    expect(knownManifest(place, { ...version, urls })).toBeUndefined();
  }
});
