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
];

test.each(HOSTILE)("%s is refused: %s on the object and in an event", async (_, reason, bytes) => {
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
