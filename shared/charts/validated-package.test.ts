import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { pack } from "../../test/support/archives.ts";
import { readArchive } from "../adapters/tar.ts";
import { packageFiles } from "./package-files.ts";
import { reportPackage } from "./package-report.ts";
import { validatedPackage } from "./validated-package.ts";

const CHART = "apiVersion: v2\nname: web\nversion: 1.0.0\n";
const chart = (body: string) => ({ path: "web/Chart.yaml", body });

const validate = async (bytes: Uint8Array) => validatedPackage(await reportPackage(await readArchive(bytes)));

test("a package that is taken says what it is, and what was found", async () => {
  const body = `${CHART}appVersion: "7"\ndescription: serves\nhome: https://example.org\n`;
  expect(await validate(pack(chart(body)))).toMatchObject({
    name: "web",
    version_name: "1.0.0 [7]",
    description: "serves",
    url: "https://example.org",
    icon: "",
    findings: [{ severity: "warning", path: "templates/" }, {}, {}, {}],
  });
});

test.each([
  [[{ path: "web/values.yaml", body: "a: 1" }], { "Chart.yaml": "not found" }],
  [[chart("version: 1.0.0\n")], { "Chart.yaml": "package name must not be empty" }],
  [[chart("name: web\nversion: one\n")], { "Chart.yaml": expect.stringContaining("one") }],
  [[chart(CHART), { path: "web/values.yaml", body: "- a" }], { "values.yaml": expect.any(String) }],
  [[chart(CHART), { path: "web/values.schema.json", body: "{" }], { "values.schema.json": expect.any(String) }],
  [
    [chart("name: web\nversion: 1.0.0\n"), { path: "web/requirements.yaml", body: "a" }],
    { "requirements.yaml": expect.any(String) },
  ],
])("a package that is not taken names the file: %j", async (entries, error_details) => {
  expect(await validate(pack(...entries))).toEqual({ error: expect.any(String), error_details });
});

test("what is wrong with the whole archive is told of no file", async () => {
  expect(await validate(pack({ path: "web/", type: "Directory" }))).toEqual({ error: "no files in package" });
  expect(await validate(Buffer.from("hello"))).toEqual({ error: expect.stringContaining("gzip") });
});

test("files come as they are, all or some; what is refused as a package is refused here", async () => {
  const bytes = Buffer.from([0, 255, 254, 10, 13]);
  const packed = pack(
    chart(CHART),
    { path: "web/files/logo.bin", body: bytes },
    { path: "web/empty" },
    { path: "web/link", type: "SymbolicLink", target: "Chart.yaml" },
    { path: "web/./files/logo.bin", body: "later" },
  );
  const all = await packageFiles(packed);
  if (!all.ok) throw new Error(all.message);
  expect([...all.files].map(([path, content]) => [path, Buffer.from(content).toString()])).toEqual([
    ["Chart.yaml", CHART],
    ["files/logo.bin", "later"],
    ["empty", ""],
    ["link", ""],
  ]);
  const some = await packageFiles(pack(chart(CHART), { path: "web/a.bin", body: bytes }), ["a.bin", "none"]);
  expect(some).toEqual({ ok: true, files: new Map([["a.bin", bytes]]) });
  expect(await packageFiles(pack(chart(CHART), { path: "web/../evil" }))).toMatchObject({ reason: "UnsafePath" });
  const big = { body: randomBytes(5 * 1024 * 1024) };
  const heavy = pack(chart(CHART), ...[1, 2, 3, 4].map((each) => ({ ...big, path: `web/${each}` })));
  expect(await packageFiles(heavy)).toMatchObject({ reason: "TooLarge" });
  expect(await packageFiles(heavy, ["1"])).toMatchObject({ ok: true });
});
