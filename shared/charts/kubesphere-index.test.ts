import { randomBytes } from "node:crypto";
import { deflateSync, inflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseIndex } from "./index-file.ts";
import { decodeIndex, encodeIndex, MAX_ENCODED_BYTES, type SavedIndex, saveIndex } from "./kubesphere-index.ts";

const INDEX = `apiVersion: v1
entries:
  redis:
    - {name: redis, version: 1.0.0, created: 2021-01-01T00:00:00Z, urls: [redis-1.0.0.tgz], description: old}
    - {name: redis, version: 1.1.0, created: 2022-01-01T00:00:00Z, urls: [redis-1.1.0.tgz], description: new, icon: i}
`;
const { entries } = parseIndex(INDEX);
const saved = saveIndex({ repo: "repo-x", generated: "2023-01-01T00:00:00Z", entries });

describe("saveIndex", () => {
  test("describes an application by its newest version and dates it by its oldest", () => {
    expect(saved.apps["redis"]).toMatchObject({
      name: "redis",
      appId: expect.stringMatching(/^app-[a-z0-9]{14}$/),
      desc: "new",
      icon: "i",
      status: "",
      created: "2021-01-01T00:00:00Z",
      charts: [{ version: "1.1.0", verId: expect.stringMatching(/^appv-[a-z0-9]{14}$/) }, { version: "1.0.0" }],
    });
  });

  test("keeps the ids that an older store gave at random", () => {
    const charts = [{ name: "redis", apiVersion: "v1", version: "1.0.0", urls: ["u"], verId: "appv-random" }];
    const redis = {
      name: "redis",
      appId: "app-random",
      desc: "kept",
      status: "",
      created: "2020-01-01T00:00:00Z",
      charts,
    };
    const previous: SavedIndex = { apiVersion: "v1", generated: "", apps: { redis } };
    const next = saveIndex({ repo: "repo-x", generated: "", entries, previous }).apps["redis"];
    expect(next).toMatchObject({ appId: "app-random", desc: "kept", created: "2020-01-01T00:00:00Z" });
    expect(next?.charts.map(({ verId }) => verId)).toEqual([expect.not.stringMatching("random"), "appv-random"]);
  });
});

describe("status.data", () => {
  test("is base64url with padding of zlib of JSON, as Go's decoder demands", () => {
    const data = encodeIndex(saved) ?? "";
    expect(data).toMatch(/^[A-Za-z0-9_-]+={0,2}$/);
    expect(data.length % 4).toBe(0);
    const bytes = Buffer.from(data.replaceAll("-", "+").replaceAll("_", "/"), "base64");
    expect(bytes[0]).toBe(0x78);
    expect(JSON.parse(inflateSync(bytes).toString())).toEqual(JSON.parse(JSON.stringify(saved)));
  });

  test("round trip: what was encoded is decoded", () => {
    const text = fc.string({ maxLength: 30 });
    fc.assert(
      fc.property(
        text,
        text,
        fc.dictionary(text, fc.array(text, { maxLength: 4 }), { maxKeys: 4 }),
        (repo, when, charts) => {
          const index = saveIndex({
            repo,
            generated: when,
            entries: Object.entries(charts).map(([name, versions]) => ({
              name,
              versions: versions.map((version) => ({
                name,
                version,
                apiVersion: "v2",
                urls: ["u"],
                description: when,
              })),
            })),
          });
          expect(decodeIndex(encodeIndex(index) ?? "")).toEqual(index);
        },
      ),
    );
  });

  test("reads it without padding too", () => {
    expect(decodeIndex((encodeIndex(saved) ?? "").replaceAll("=", ""))).toEqual(saved);
  });

  test("is left out where it would not fit, and never exceeds its limit", () => {
    const withNoise = (bytes: number) => ({ ...saved, generated: randomBytes(bytes / 2).toString("hex") });
    expect(encodeIndex(withNoise(2 * 1024 * 1024))).toBeUndefined();
    const fits = encodeIndex(withNoise(1_100_000)) ?? "";
    expect(fits.length).toBeGreaterThan(700 * 1024);
    expect(fits.length).toBeLessThanOrEqual(MAX_ENCODED_BYTES);
  });

  test.each([
    ["no base64", "%%%"],
    ["no zlib", Buffer.from("hello").toString("base64url")],
    ["no JSON", deflateSync("hello").toString("base64url")],
    ["null", deflateSync("null").toString("base64url")],
    ["no apiVersion", deflateSync("{}").toString("base64url")],
    ["no application", deflateSync('{"apiVersion":"v1","apps":{"a":null}}').toString("base64url")],
    [
      "no version id",
      deflateSync('{"apiVersion":"v1","apps":{"a":{"appId":"x","charts":[{}]}}}').toString("base64url"),
    ],
    ["a bomb", deflateSync(Buffer.alloc(300 * 1024 * 1024)).toString("base64url")],
  ])("%s is refused with what to do", (_, data) => {
    expect(() => decodeIndex(data)).toThrow(/no saved index .*sync the repository again/);
  });
});
