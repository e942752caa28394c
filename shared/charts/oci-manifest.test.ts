import { expect, test } from "vitest";
import { readManifest } from "./oci-manifest.ts";

const HELM = "application/vnd.cncf.helm.config.v1+json";
const blob = (mediaType: string, digit: string, more = {}) => ({
  mediaType,
  digest: `sha256:${digit.repeat(64)}`,
  size: 10,
  ...more,
});
const CONFIG = blob(HELM, "a");
const CONTENT = blob("application/vnd.cncf.helm.chart.content.v1.tar+gzip", "b");
const PROVENANCE = blob("application/vnd.cncf.helm.chart.provenance.v1.prov", "c");
const read = (manifest: unknown) => readManifest(Buffer.from(JSON.stringify(manifest)));

test("a chart has a config and a package, perhaps a provenance and a date", () => {
  const annotations = { "org.opencontainers.image.created": "2024-05-06T07:08:09Z" };
  expect(read({ schemaVersion: 2, config: CONFIG, layers: [PROVENANCE, CONTENT], annotations })).toEqual({
    kind: "chart",
    config: CONFIG,
    content: CONTENT,
    provenance: PROVENANCE,
    created: "2024-05-06T07:08:09Z",
  });
});

test("the package of Helm before 3.7 counts, a date that is none does not", () => {
  const old = blob("application/tar+gzip", "d");
  for (const created of ["yesterday", "2024-99-99T00:00:00Z", 5, "2024-05-06T07:08:09Z\nx: y"]) {
    const annotations = { "org.opencontainers.image.created": created };
    expect(read({ config: CONFIG, layers: [old], annotations })).toEqual({
      kind: "chart",
      config: CONFIG,
      content: old,
    });
  }
});

test.each([
  ["no layer", { config: CONFIG, layers: [] }],
  ["layers that are no list", { config: CONFIG, layers: {} }],
  ["a foreign digest", { config: CONFIG, layers: [{ ...CONTENT, digest: "md5:12" }] }],
  ["a negative size", { config: CONFIG, layers: [{ ...CONTENT, size: -1 }] }],
  ["a package behind too many layers", { config: CONFIG, layers: [...new Array(16).fill(PROVENANCE), CONTENT] }],
])("a chart with %s is invalid", (_, manifest) => {
  expect(read(manifest)).toEqual({ kind: "invalid", message: "its manifest names no layer with a chart package" });
});

test.each(["", "[]", "7", "{", "null"])("%j is no manifest", (text) => {
  expect(readManifest(Buffer.from(text))).toMatchObject({ kind: "invalid" });
});

test("images and other artifacts are told by their kind", () => {
  const image = "application/vnd.oci.image.config.v1+json";
  expect(read({ config: blob(image, "e"), layers: [] })).toEqual({ kind: "other", mediaType: image });
  expect(read({ mediaType: "x/y" })).toEqual({ kind: "other", mediaType: "x/y" });
  expect(read({ artifactType: "a/b", mediaType: "x/y" })).toEqual({ kind: "other", mediaType: "a/b" });
  expect(read({})).toEqual({ kind: "other", mediaType: "an unknown kind" });
});

test("an index names the manifest that is said to be a chart, else those without a platform", () => {
  const manifest = "application/vnd.oci.image.manifest.v1+json";
  const [image, plain, chart] = [
    blob(manifest, "1", { platform: { os: "linux", architecture: "amd64" } }),
    blob(manifest, "2"),
    blob(manifest, "3", { artifactType: HELM }),
  ];
  const named = ({ mediaType, digest, size }: ReturnType<typeof blob>) => ({ mediaType, digest, size });
  expect(read({ manifests: [image, plain, chart] })).toEqual({ kind: "index", manifests: [named(chart)] });
  expect(read({ manifests: [image, plain] })).toEqual({ kind: "index", manifests: [named(plain)] });
  const many = read({ manifests: new Array(50).fill(plain) });
  expect(many.kind === "index" && many.manifests).toHaveLength(3);
  expect(read({ manifests: [image, "x", null] })).toEqual({ kind: "index", manifests: [] });
});
