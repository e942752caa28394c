import { execFileSync } from "node:child_process";
import { deflateRawSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHART, END, type Entry, entryBytes, pack, tarOf, zeros } from "../../test/support/archives.ts";
import type { ArchiveLimits } from "../charts/archive-listing.ts";
import { checkPackage } from "../charts/package.ts";
import { readArchive } from "./tar.ts";

async function reasonOf(bytes: Uint8Array, limits: Partial<ArchiveLimits> = {}): Promise<string> {
  const result = checkPackage(await readArchive(bytes, limits));
  if (result.ok) return "ok";
  expect(result.message).toMatch(/.{15,}/);
  expect(result.message.length).toBeLessThan(1024);
  return result.reason;
}

describe("a good package", () => {
  test("is read as a list of files, with the text of those that describe it", async () => {
    const bytes = pack(
      { path: "redis/", type: "Directory" },
      CHART,
      { path: "redis/values.yaml", body: "\ufeffa: 1\n" },
      { path: "redis/README.md", body: "# Redis" },
      { path: "redis/templates/a.yaml", body: "kind: A" },
      { path: "redis/charts/common/Chart.yaml", body: "name: common" },
      { path: "redis/empty.yaml" },
    );
    expect(await readArchive(bytes)).toEqual({
      ok: true,
      folder: "redis",
      files: [
        { path: "Chart.yaml", bytes: CHART.body.length, text: CHART.body },
        { path: "values.yaml", bytes: 8, text: "a: 1\n" },
        { path: "README.md", bytes: 7, text: "# Redis" },
        { path: "templates/a.yaml", bytes: 7 },
        { path: "charts/common/Chart.yaml", bytes: 12 },
        { path: "empty.yaml", bytes: 0 },
      ],
      warnings: [],
    });
  });

  test("may have an empty values.yaml, long paths and texts of many blocks", async () => {
    const body = `a: "${"x".repeat(300_000)}"\n`;
    const long = `redis/templates/${"folder/".repeat(40)}a.yaml`;
    const result = await readArchive(pack(CHART, { path: "redis/values.yaml", body }, { path: long }));
    expect(result).toMatchObject({ ok: true, files: [{}, { text: body }, { path: long.slice("redis/".length) }] });
    expect(await readArchive(pack(CHART, { path: "redis/values.yaml" }))).toMatchObject({ files: [{}, { text: "" }] });
  });

  test("may hold a path twice: the last one counts, as in Helm, and a warning says so", async () => {
    const bytes = pack(
      CHART,
      { path: "redis/values.yaml", body: "a: 1" },
      { path: "redis/templates/a.yaml", body: "short" },
      { path: "redis/values.yaml", body: "a: 2" },
      { path: "redis/./templates//a.yaml", body: "longer" },
    );
    expect(await readArchive(bytes)).toMatchObject({
      files: [{ path: "Chart.yaml" }, { path: "values.yaml", text: "a: 2" }, { path: "templates/a.yaml", bytes: 6 }],
      warnings: [
        expect.stringMatching(/^values.yaml stands .* more than once/),
        expect.stringMatching(/^templates\/a.yaml/),
      ],
    });
  });

  test("has one readme: the first that could be one, as in Helm", async () => {
    const bytes = pack(CHART, { path: "redis/README.txt", body: "one" }, { path: "redis/readme.md", body: "two" });
    expect(await readArchive(bytes)).toMatchObject({ files: [{}, { text: "one" }, { path: "readme.md", bytes: 3 }] });
    expect(checkPackage(await readArchive(bytes))).toMatchObject({ readme: "one" });
  });

  test("may hold a link that stays in its folder: an empty file, as in Helm, and a warning says so", async () => {
    const bytes = pack(
      CHART,
      { path: "redis/files/a.txt", body: "text" },
      { path: "redis/files/b.txt", type: "SymbolicLink", target: "../files/a.txt" },
      { path: "redis/values.yaml", type: "Link", target: "redis/files/a.txt" },
    );
    expect(await readArchive(bytes)).toMatchObject({
      ok: true,
      files: [{}, {}, { path: "files/b.txt", bytes: 0 }, { path: "values.yaml", bytes: 0, text: "" }],
      warnings: [expect.stringMatching(/symbolic link/), expect.stringMatching(/hard link/)],
    });
  });
});

describe("a hostile archive is refused with one clear reason", () => {
  const link = (path: string, target: string, type: NonNullable<Entry["type"]> = "SymbolicLink"): Entry => ({
    path,
    type,
    target,
  });

  test.each<[string, string, Entry[]]>([
    ["UnsafePath", "a path that climbs out", [CHART, { path: "redis/../../evil.sh" }]],
    ["UnsafePath", "a path that climbs at once", [CHART, { path: "../evil.sh" }]],
    ["UnsafePath", "a path that climbs and comes back", [CHART, { path: "redis/a/../b.yaml" }]],
    ["UnsafePath", "a folder that climbs", [CHART, { path: "redis/../", type: "Directory" }]],
    ["UnsafePath", "backslashes", [CHART, { path: "redis\\..\\evil.bat" }]],
    ["UnsafePath", "a line break", [CHART, { path: "redis/a\nb" }]],
    ["AbsolutePath", "an absolute path", [CHART, { path: "/etc/cron.d/evil" }]],
    ["AbsolutePath", "two slashes", [CHART, { path: "//server/share" }]],
    ["AbsolutePath", "a drive letter", [CHART, { path: "C:/Windows/evil.dll" }]],
    ["AbsolutePath", "a drive letter inside the folder", [CHART, { path: "redis/c:/evil.dll" }]],
    ["UnsafeLink", "a link to an absolute path", [CHART, link("redis/passwd", "/etc/passwd")]],
    ["UnsafeLink", "a link that climbs", [CHART, link("redis/templates/x", "../../secret")]],
    ["UnsafeLink", "a link that climbs behind a detour", [CHART, link("redis/x", "a/../../b")]],
    ["UnsafeLink", "a hard link to another folder", [CHART, link("redis/x", "other/x", "Link")]],
    ["UnsafeLink", "a hard link that climbs", [CHART, link("redis/x", "redis/../../x", "Link")]],
    ["UnsafeLink", "a link with a body", [CHART, { ...link("redis/x", "Chart.yaml"), body: "x".repeat(512) }]],
    ["UnsafeEntry", "a character device", [CHART, { path: "redis/null", type: "CharacterDevice" }]],
    ["UnsafeEntry", "a block device", [CHART, { path: "redis/sda", type: "BlockDevice" }]],
    ["UnsafeEntry", "a pipe", [CHART, { path: "redis/pipe", type: "FIFO" }]],
    ["UnsafeEntry", "a sparse file", [CHART, { path: "redis/sparse", type: "SparseFile" }]],
    ["PathTooLong", "a long path", [CHART, { path: `redis/${"a/".repeat(2000)}b` }]],
    ["PathTooLong", "an endless path", [CHART, { path: `redis/${"a".repeat(100_000)}` }]],
    ["OutsideFolder", "files without a folder", [{ ...CHART, path: "Chart.yaml" }]],
    ["SeveralFolders", "two folders", [CHART, { path: "other/values.yaml" }]],
    ["MissingChartYaml", "no Chart.yaml", [{ path: "redis/values.yaml", body: "a: 1" }]],
    ["MissingChartYaml", "a Chart.yaml too deep", [{ ...CHART, path: "redis/redis/Chart.yaml" }]],
    ["DuplicateChartYaml", "two Chart.yaml", [CHART, { ...CHART, body: "name: evil\nversion: 6.6.6" }]],
    ["DuplicateChartYaml", "two Chart.yaml spelled differently", [CHART, { ...CHART, path: "redis/./Chart.yaml" }]],
    ["InvalidChartName", "a name that is no DNS label", [{ ...CHART, body: "name: My_Chart\nversion: 1.0.0" }]],
    ["InvalidVersion", "a broken version", [{ ...CHART, body: "name: redis\nversion: latest" }]],
    ["TooLarge", "a file over the limit", [CHART, { path: "redis/big", body: Buffer.alloc(5 * 1024 * 1024 + 1) }]],
    ["TooLarge", "a claim of 8 GiB", [CHART, { path: "redis/big", claims: 8 * 1024 ** 3 - 1 }]],
    ["TooLarge", "a Chart.yaml of 3 MiB", [{ ...CHART, body: `${CHART.body}#${"x".repeat(3 * 1024 * 1024)}` }]],
    ["CorruptArchive", "a body cut off", [CHART, { path: "redis/a", body: "x", claims: 5000 }]],
    ["EmptyArchive", "folders only", [{ path: "redis/", type: "Directory" }]],
    ["CorruptArchive", "nothing", []],
  ])("%s: %s", async (reason, _, entries) => {
    expect(await reasonOf(pack(...entries))).toBe(reason);
  });

  test.each<[string, string, () => Buffer]>([
    ["NotAGzip", "no bytes", () => Buffer.alloc(0)],
    ["NotAGzip", "a plain tar", () => tarOf(CHART)],
    ["NotAGzip", "a zip", () => Buffer.from("PK\u0003\u0004 and so on")],
    ["CorruptArchive", "gzip of something else", () => gzipSync("hello ".repeat(1000))],
    ["CorruptArchive", "gzip of a few bytes", () => gzipSync("hello")],
    ["CorruptArchive", "gzip cut off", () => pack(CHART).subarray(0, -20)],
    ["CorruptArchive", "a gzip head alone", () => Buffer.from([0x1f, 0x8b])],
    ["CorruptArchive", "a wrong checksum", () => wrongChecksum(pack(CHART))],
    ["CorruptArchive", "gzip in gzip", () => gzipSync(pack(CHART, { path: "redis/x", body: randomText(2000) }))],
    ["CorruptArchive", "gzip in gzip, hidden behind one-byte members", () => splitMembers(pack(CHART))],
  ])("%s: %s", async (reason, _, bytes) => {
    expect(await reasonOf(bytes())).toBe(reason);
  });

  test("100,000 entries: stops at the limit, long before the damaged end", async () => {
    const body = Buffer.alloc(512 * 100_000, entryBytes({ path: "redis/templates/a.yaml" }));
    const packed = gzipSync(Buffer.concat([entryBytes(CHART), body, END]), { level: 1 });
    expect(await reasonOf(packed)).toBe("TooManyFiles");
    expect(await reasonOf(wrongChecksum(packed))).toBe("TooManyFiles");
    expect(await reasonOf(pack(CHART, { path: "redis/a" }, { path: "redis/b" }), { maxEntries: 2 })).toBe(
      "TooManyFiles",
    );
  });

  test("many files that are too much together", async () => {
    const one = { path: "redis/a", body: Buffer.alloc(4 * 1024 * 1024) };
    expect(await reasonOf(pack(CHART, one, one, one), { maxInflatedBytes: 10 * 1024 * 1024 })).toBe("TooLarge");
    expect(await reasonOf(pack(CHART, one), { maxRatio: 10 })).toBe("TooLarge");
  });

  test("any bytes and any damage are answered, never thrown", async () => {
    const good = pack(CHART, { path: "redis/values.yaml", body: "a: 1" });
    const damage = fc.array(fc.tuple(fc.nat(tarOf(CHART).length - 1), fc.integer({ min: 0, max: 255 })), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(good.length - 1),
        damage,
        fc.uint8Array({ maxLength: 600 }),
        async (cut, changes, noise) => {
          expect((await readArchive(good.subarray(0, cut))).ok).toBe(false);
          const tar = tarOf(CHART);
          for (const [at, value] of changes) tar[at] = value;
          expect(await reasonOf(gzipSync(tar))).toMatch(/^[A-Za-z]+$/);
          expect(await reasonOf(gzipSync(noise))).not.toBe("ok");
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("memory stays bounded", () => {
  const peakOf = (bytes: Buffer): { reason: string; peakMiB: number } => {
    const script = `
      import { readFileSync } from "node:fs";
      import { readArchive } from ${JSON.stringify(new URL("tar.ts", import.meta.url).href)};
      const result = await readArchive(readFileSync(0));
      console.log(JSON.stringify({ reason: result.reason ?? "ok", peakMiB: process.resourceUsage().maxRSS / 1024 }));`;
    const output = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { input: bytes });
    return JSON.parse(output.toString());
  };
  const head = gzipSync(Buffer.concat([entryBytes(CHART), entryBytes({ path: "redis/big", claims: 1024 ** 3 })]));
  const manyFiles = gzipSync(entryBytes({ path: "redis/templates/a", body: Buffer.alloc(4 * 1024 * 1024) }), {
    level: 9,
  });
  const metaHead = gzipSync(
    Buffer.concat([entryBytes(CHART), entryBytes({ path: "x", type: "ExtendedHeader", claims: 1024 ** 3 })]),
  );

  test("whatever a bomb of 1 GiB and more claims to be", () => {
    const plain = peakOf(pack(CHART));
    expect(plain.reason).toBe("ok");
    const bombs: Record<string, Buffer> = {
      "one file": Buffer.concat([head, zeros(1024)]),
      "many files": Buffer.concat([gzipSync(entryBytes(CHART)), ...Array.from({ length: 260 }, () => manyFiles)]),
      "zeros behind the end": Buffer.concat([pack(CHART), zeros(1024)]),
      "an extended header": Buffer.concat([metaHead, zeros(1024)]),
      "zeros alone": zeros(1024),
      "packed twice": gzipSync(zeros(1024)),
    };
    for (const [name, bytes] of Object.entries(bombs)) {
      const { reason, peakMiB } = peakOf(bytes);
      expect(reason, name).toMatch(/^(?:TooLarge|PathTooLong|CorruptArchive)$/);
      expect(peakMiB - plain.peakMiB, name).toBeLessThan(48);
    }
  });
});

function wrongChecksum(packed: Buffer): Buffer {
  const copy = Buffer.from(packed);
  copy.writeUInt32LE(copy.readUInt32LE(copy.length - 8) ^ 1, copy.length - 8);
  return copy;
}

/** The same bytes in one gzip member per byte, so that no reader sees two of them at once. */
function splitMembers(content: Buffer): Buffer {
  return Buffer.concat([...content].map((byte) => gzipSync(Buffer.of(byte))));
}

function randomText(length: number): string {
  return deflateRawSync(Buffer.from(Array.from({ length }, (_, at) => (at * 7919) % 251))).toString("base64");
}
