import { expect, it } from "vitest";
import { sha256 } from "../../shared/digest.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { given, NOW } from "../../test/support/objects.ts";
import { findChart } from "./find-chart.ts";

const bytes = new Uint8Array([1, 2, 3]);
const text = "apiVersion: v2\nname: web\nversion: 1.0.0\n";
const sources: Parameters<typeof findChart>[1] = {
  kube: { get: async () => undefined, list: async () => [] },
  blobs: { get: async () => bytes, put: async () => undefined },
  charts: {
    fetchIndex: async () => ({ changed: false }),
    fetchPackage: async () => bytes,
    readArchive: async () => ({
      ok: true,
      folder: "web",
      files: [{ path: "Chart.yaml", bytes: text.length, text }],
      warnings: [],
    }),
  },
  attestations: { fetchProvenance: async () => undefined, fetchSignatures: async () => undefined },
  openpgp: { verifyClearSigned: async () => ({ ok: false, reason: "SignatureInvalid", message: "not signed" }) },
  clock: { now: () => NOW },
};

function wanting(chartVersion: string) {
  return given(HelmRelease, "rls-1", {
    spec: { name: "web", chartName: "web", chartVersion, version: 2, appVerId: "appv-gone" },
    status: { state: "active", packageDigest: sha256(bytes) },
  });
}

it("installs the package that runs again after its version was withdrawn", async () => {
  expect(await findChart(wanting("1.0.0"), sources)).toEqual({ ok: true, bytes, digest: sha256(bytes) });
});

it("never passes the package that runs off as another version", async () => {
  expect(await findChart(wanting("2.0.0"), sources)).toMatchObject({
    ok: false,
    reason: "VersionNotFound",
    message: expect.stringContaining("web 2.0.0"),
  });
});
