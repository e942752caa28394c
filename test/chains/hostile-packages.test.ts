import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { packageName } from "../../shared/charts/ids.ts";
import { findCondition } from "../../shared/conditions.ts";
import { sha256 } from "../../shared/digest.ts";
import { PackageRefused } from "../../shared/events/package.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { CHART, END, type Entry, entryBytes, pack, zeros } from "../support/archives.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { until } from "../support/until.ts";

let laptop: Laptop;
beforeAll(async () => {
  laptop = await startTestLaptop();
});
afterAll(() => laptop?.close());

const chart = (body: string): Entry => ({ ...CHART, body });
const bomb = gzipSync(Buffer.concat([entryBytes(CHART), entryBytes({ path: "redis/big", claims: 1024 ** 3 })]));
const crowd = Buffer.alloc(512 * 100_000, entryBytes({ path: "redis/templates/a.yaml" }));

const aliases = [
  "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]",
  ..."bcdefgh".split("").map((name, at) => {
    const before = String.fromCharCode(name.charCodeAt(0) - 1);
    return `${name}: &${name} [${Array.from({ length: 10 + at }, () => `*${before}`).join(", ")}]`;
  }),
].join("\n");

/** What the store must never take in, as a vendor would send it. */
const HOSTILE: readonly (readonly [string, string, Uint8Array])[] = [
  ["a path that climbs out", "UnsafePath", pack(CHART, { path: "redis/../../evil.sh" })],
  ["an absolute path", "AbsolutePath", pack(CHART, { path: "/etc/cron.d/evil" })],
  [
    "a link out of the tree",
    "UnsafeLink",
    pack(CHART, { path: "redis/x", type: "SymbolicLink", target: "/etc/passwd" }),
  ],
  ["a gzip bomb", "TooLarge", Buffer.concat([bomb, zeros(1024)])],
  ["100,000 entries", "TooManyFiles", gzipSync(Buffer.concat([entryBytes(CHART), crowd, END]), { level: 1 })],
  ["no Chart.yaml", "MissingChartYaml", pack({ path: "redis/values.yaml", body: "a: 1" })],
  ["two Chart.yaml", "DuplicateChartYaml", pack(CHART, chart("name: evil\nversion: 6.6.6"))],
  ["a name that is no DNS label", "InvalidChartName", pack(chart("name: My_Chart\nversion: 1.0.0"))],
  ["a broken version", "InvalidVersion", pack(chart("name: redis\nversion: latest"))],
  ["bytes that are no archive", "NotAGzip", Buffer.from("hello")],
  ["a path for Windows that climbs out", "UnsafePath", pack(CHART, { path: "redis/..\\..\\evil.exe" })],
  ["a path with a drive", "AbsolutePath", pack(CHART, { path: "C:/Windows/evil.exe" })],
  ["a path with a hidden character", "UnsafePath", pack(CHART, { path: "redis/a\u0007b" })],
  ["a hard link out of the tree", "UnsafeLink", pack(CHART, { path: "redis/x", type: "Link", target: "/etc/shadow" })],
  ["a device", "UnsafeEntry", pack(CHART, { path: "redis/null", type: "CharacterDevice" })],
  ["a pipe", "UnsafeEntry", pack(CHART, { path: "redis/pipe", type: "FIFO" })],
  ["two charts", "SeveralFolders", pack(CHART, { path: "mysql/Chart.yaml", body: "name: mysql\nversion: 1.0.0" })],
  ["a file beside the chart", "OutsideFolder", pack({ path: "evil.sh" }, CHART)],
  ["an archive packed twice", "CorruptArchive", gzipSync(pack(CHART))],
  ["an archive that is cut off", "CorruptArchive", pack(CHART).subarray(0, 60)],
  ["values that multiply by aliases", "InvalidValues", pack(CHART, { path: "redis/values.yaml", body: aliases })],
  ["metadata nested without end", "InvalidChartYaml", pack(chart(`annotations: ${"{a: ".repeat(5_000)}`))],
];

/** What is harmless and still too much. */
const TOO_MUCH: typeof HOSTILE = [
  ["a file of more than 5 MiB", "TooLarge", pack(CHART, { path: "redis/big", body: randomBytes(5 * 1024 ** 2 + 1) })],
  ["a path of more than 1024 bytes", "PathTooLong", pack(CHART, { path: `redis/${"a/".repeat(600)}x` })],
  ["10,001 files", "TooManyFiles", gzipSync(Buffer.concat([entryBytes(CHART), crowd.subarray(0, 512 * 10_000), END]))],
];

test.each([...HOSTILE, ...TOO_MUCH])("%s is refused: %s on the object and in an event", async (_, reason, bytes) => {
  const answer = await fetch(`${laptop.uploadsUrl}?workspace=demo`, { method: "POST", body: Buffer.from(bytes) });
  expect(answer.status).toBe(202);
  const digest = sha256(bytes);
  const ready = await until("the package says why", async () => {
    const found = await laptop.kube.get(HelmPackage, packageName(digest));
    return findCondition(found?.status?.conditions, "Ready");
  });
  expect(ready).toMatchObject({ status: "False", reason });
  expect(ready.message).toMatch(/.{15,}/);
  const refusals = () =>
    laptop.published().filter(({ type, data }) => type === PackageRefused.type && isAbout(data, digest));
  await until("the refusal is announced", () => refusals().length > 0);
  expect(refusals().map(({ data }) => data)).toMatchObject([{ digest, reason, message: ready.message }]);
});

test("an upload of more than 32 MiB is refused before it is kept", async () => {
  const body = new Uint8Array(32 * 1024 ** 2 + 1);
  const answer = await fetch(`${laptop.uploadsUrl}?workspace=demo`, { method: "POST", body });
  expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining("more than")]);
});

test("nothing came of them, and they took little memory", async () => {
  expect(await laptop.kube.list(HelmApplicationVersion)).toEqual([]);
  const before = process.memoryUsage.rss();
  const again = Buffer.concat([bomb, zeros(2048)]);
  await fetch(`${laptop.uploadsUrl}?workspace=demo`, { method: "POST", body: again });
  let peak = 0;
  await until("the bomb is refused", async () => {
    peak = Math.max(peak, process.memoryUsage.rss());
    return (await laptop.kube.get(HelmPackage, packageName(sha256(again))))?.status?.checkedTime !== undefined;
  });
  expect((peak - before) / 1024 ** 2).toBeLessThan(128);
});

function isAbout(data: unknown, digest: string): boolean {
  return typeof data === "object" && data !== null && "digest" in data && data.digest === digest;
}
