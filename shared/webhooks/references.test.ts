import { expect, test } from "vitest";
import { packageUrlOf } from "./purl.ts";
import { packageOf, referenceOf } from "./references.ts";

test.each([
  ["reg.example:5000/apps/web:1.4.2", { address: "reg.example:5000/apps/web", tag: "1.4.2" }],
  ["reg.example:5000/apps/web", { address: "reg.example:5000/apps/web" }],
  ["reg.example/web:1.0@sha256:ab", { address: "reg.example/web", tag: "1.0", digest: "sha256:ab" }],
  ["ghcr.io/acme/web:", { address: "ghcr.io/acme/web" }],
])("reference %s", (text, expected) => {
  expect(referenceOf(text)).toEqual(expected);
});

test.each([
  ["web-1.4.2.tgz", { chart: "web", version: "1.4.2" }],
  ["my-app-2-1.0.0-rc.1.tgz", { chart: "my-app-2", version: "1.0.0-rc.1" }],
  ["folder/web-v1.0.0+build.7.tgz", { chart: "web", version: "v1.0.0+build.7" }],
  ["web-1.4.2.tgz.prov", undefined],
  ["web.tgz", undefined],
])("package %s", (file, expected) => {
  expect(packageOf(file)).toEqual(expected);
});

test.each([
  [
    "pkg:oci/web@sha256%3Aab?repository_url=reg.example%2Fapps&tag=1.4.2",
    { type: "oci", name: "web", version: "1.4.2", digest: "sha256:ab", address: "reg.example/apps" },
  ],
  ["pkg:helm/stable/web@1.4.2", { type: "helm", name: "web", version: "1.4.2" }],
  ["pkg:generic/web@1.4.2?checksum=sha256:ab", { type: "generic", name: "web", version: "1.4.2", digest: "sha256:ab" }],
  ["pkg:oci/web@%E0%A4%A", { type: "oci", name: "web", version: "%E0%A4%A" }],
  ["https://reg.example/web", undefined],
])("package URL %s", (text, expected) => {
  expect(packageUrlOf(text)).toEqual(expected);
});
