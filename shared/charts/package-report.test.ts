import { describe, expect, test } from "vitest";
import type { ArchiveResult } from "../ports.ts";
import { reportPackage } from "./package-report.ts";

const CHART = "apiVersion: v2\nname: web\nversion: 1.0.0\nappVersion: '7'\nicon: https://example.org/i.png\n";

function archive(texts: Record<string, string>): ArchiveResult {
  const all = { "Chart.yaml": CHART, "values.yaml": "a: 1\n", "templates/a.yaml": "", "README.md": "# Web", ...texts };
  const files = Object.entries(all).map(([path, text]) => ({ path, bytes: Buffer.byteLength(text), text }));
  return { ok: true, folder: "web", files, warnings: [] };
}

async function report(texts: Record<string, string>) {
  const result = await reportPackage(archive(texts));
  if (!result.ok) throw new Error(`${result.reason}: ${result.message}`);
  return result;
}

async function findings(texts: Record<string, string>): Promise<readonly string[]> {
  return (await report(texts)).findings.map(({ severity, path, message }) => `${severity} ${path}: ${message}`);
}

test("a good chart has no findings, a refused archive keeps its reason", async () => {
  expect(await findings({})).toEqual([]);
  const refused = { ok: false, reason: "UnsafePath", message: "m" } as const;
  expect(await reportPackage(refused)).toEqual(refused);
});

test("the worst comes first", async () => {
  const found = await findings({
    "Chart.yaml": `${CHART.replace(/icon.*\n/, "")}deprecated: true\nkubeVersion: soon\n`,
  });
  expect(found.map((text) => text.split(" ")[0])).toEqual(["error", "warning", "info"]);
  expect(found[0]).toContain('kubeVersion "soon" is no range of versions');
});

test.each(["files/.env", "files/server.pem", "id_rsa", ".git/config", "a/.aws/credentials", "tls.key"])(
  "%s is pointed out",
  async (path) => {
    expect(await findings({ [path]: "x" })).toEqual([expect.stringMatching(/^warning .*hold secrets/)]);
  },
);

test("files that only sound like secrets are left alone", async () => {
  expect(await findings({ "templates/keys.yaml": "", "files/environment": "", "docs/monkey.md": "" })).toEqual([]);
});

describe("images", () => {
  test.each([
    ["image: nginx:1.27", ["nginx:1.27"]],
    ["image: nginx\ntag: '1.27'", ["nginx:1.27"]],
    ["image: nginx\nimageTag: '1.27'", ["nginx:1.27"]],
    ["image: {repository: nginx}", ["nginx:7"]],
    ["a: {image: {registry: quay.io, repository: x/y, tag: v1}}", ["quay.io/x/y:v1"]],
    [
      `sidecars: [{image: {repository: localhost:5000/x, tag: '1', digest: ${"a".repeat(64)}}}]`,
      [`localhost:5000/x:1@sha256:${"a".repeat(64)}`],
    ],
    ["initImage: {name: busybox, tag: stable}\nimage: ''", ["busybox:stable"]],
    ["image: '{{ .Values.x }}'\nimagePullPolicy: Always\nimages: 3", []],
  ])("%s", async (values, images) => {
    expect((await report({ "values.yaml": values })).images).toEqual(images);
  });

  test("the chart's own list counts more than its values", async () => {
    const annotation =
      "annotations:\n  artifacthub.io/images: |\n    - {name: web, image: ghcr.io/x/web:2}\n    - {image: 'rm -rf'}\n";
    const texts = { "Chart.yaml": CHART + annotation, "values.yaml": "image: nginx:1" };
    expect((await report(texts)).images).toEqual(["ghcr.io/x/web:2"]);
  });

  test("no values are too many or too deep", async () => {
    const deep = `${'{"a":'.repeat(90)}{"image":"x:1"}${"}".repeat(90)}`;
    expect((await report({ "values.yaml": deep })).images).toEqual([]);
    const many = Array.from({ length: 5_000 }, (_, at) => `a${at}: {image: "x:${at}"}`).join("\n");
    expect((await report({ "values.yaml": many })).images).toHaveLength(100);
  });
});

describe("schemas that mean harm", () => {
  const nested = (depth: number) =>
    Object.fromEntries(
      Array.from({ length: depth }, (_, at) => [
        `d${at}`,
        { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
      ]),
    );
  const started = () => performance.now();

  test.each([
    ["doubling references", { $ref: "#/$defs/d0", $defs: { ...nested(60), d60: { type: "object" } } }],
    ["a pattern that backtracks", { properties: { a: { pattern: "^(a+)+$" } } }],
  ])("%s are cut off", async (_, schema) => {
    const begin = started();
    const found = await findings({
      "values.schema.json": JSON.stringify(schema),
      "values.yaml": `a: ${"a".repeat(60)}!`,
    });
    expect(found).toEqual([expect.stringMatching(/^warning values\.schema\.json: .*takes more than/)]);
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  test.each([
    ["$async", '{"$async": true, "type": "string"}'],
    ["depth", `${'{"not":'.repeat(20_000)}true${"}".repeat(20_000)}`],
    ["references to files", '{"$ref": "file:///etc/passwd"}'],
    ["size", JSON.stringify({ description: "x".repeat(1_100_000) })],
    ["an own address", '{"$id": "https://example.org/a.json", "$ref": "b.json"}'],
  ])("%s do nothing but tell", async (_, schema) => {
    const [found = "", ...rest] = await findings({ "values.schema.json": schema });
    expect(found).toMatch(/values\.schema\.json/);
    expect(rest).toEqual([]);
  });
});

test("definitions are named in any style, and what is too large is not taken for checked", async () => {
  const crds = {
    "crds/a.json": JSON.stringify({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "a.example.org" },
    }),
    "charts/db/crds/b.yaml":
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  labels:\n    name: x\n  name: b.example.org\n",
  };
  expect((await report(crds)).crds).toEqual(["a.example.org", "b.example.org"]);
  const found = archive({});
  if (!found.ok) throw new Error("no archive");
  const big = await reportPackage({ ...found, files: [...found.files, { path: "crds/big.yaml", bytes: 9_000_000 }] });
  expect(big).toMatchObject({ crds: [], findings: [{ severity: "info", path: "crds/big.yaml" }] });
});

test("dependencies are looked for in charts/, packed or not", async () => {
  const dependencies = "dependencies: [{name: db, version: 1.x}, {name: my-cache-2, version: 2.0.0}, {name: none}]\n";
  const texts = {
    "Chart.yaml": CHART + dependencies,
    "charts/db/Chart.yaml": "",
    "charts/my-cache-2-2.0.0-rc.1.tgz": "",
  };
  expect((await report(texts)).dependencies).toEqual([
    { name: "db", version: "1.x", vendored: true },
    { name: "my-cache-2", version: "2.0.0", vendored: true },
    { name: "none", version: "", vendored: false },
  ]);
});
