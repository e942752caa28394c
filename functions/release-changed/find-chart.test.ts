import { describe, expect, it } from "vitest";
import { sha256 } from "../../shared/digest.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { given, NOW } from "../../test/support/objects.ts";
import { findChart } from "./find-chart.ts";

const bytes = new Uint8Array([1, 2, 3]);
const text = "apiVersion: v2\nname: web\nversion: 1.0.0\n";
const sources: Parameters<typeof findChart>[1] = {
  kube: { get: async () => undefined, list: async () => [] },
  blobs: { get: async () => bytes, put: async () => undefined, remove: async () => undefined },
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

it("says why the credentials of a repository cannot be used", async () => {
  const version = given(HelmApplicationVersion, "appv-1", {
    metadata: { labels: { [LABEL.repoId]: "repo-1" } },
    spec: { name: "web", version: "1.0.0", urls: ["web-1.0.0.tgz"] },
    status: { state: "active" },
  });
  const credential = { caFile: "/etc/ca.pem" };
  const repo = given(HelmRepo, "repo-1", {
    spec: { name: "stable", url: "https://charts.example", type: "http", versionHistoryLimit: 10, credential },
  });
  const found = new Map<string, object>([version, repo].map((object) => [object.kind ?? "", object]));
  const kube = { ...sources.kube, get: async ({ kind }: { kind: string }) => found.get(kind) } as typeof sources.kube;
  const release = given(HelmRelease, "rls-1", {
    spec: { name: "web", chartName: "web", chartVersion: "1.0.0", version: 1, appVerId: "appv-1" },
  });
  expect(await findChart(release, { ...sources, kube })).toMatchObject({
    ok: false,
    reason: "SecretRefused",
    message: expect.stringContaining("spec.credential.caFile of HelmRepo repo-1 names a file of another machine"),
  });
});

describe("a version in quarantine", () => {
  const repo = given(HelmRepo, "repo-1", { spec: { name: "charts", url: "https://charts.example.com" } });
  const version = given(HelmApplicationVersion, "appv-gone", {
    metadata: { labels: { [LABEL.repoId]: "repo-1" } },
    spec: { name: "web", version: "1.0.0", urls: ["web-1.0.0.tgz"], digest: sha256(bytes).slice("sha256:".length) },
    status: {
      state: "active",
      conditions: [
        {
          type: "Quarantined",
          status: "True",
          reason: "DigestChanged",
          message: "it was published again",
          lastTransitionTime: NOW.toISOString(),
        },
      ],
    },
  });
  const objects = [repo, version];
  const get = async (kind: { readonly kind: string }) => objects.find((object) => object.kind === kind.kind) as never;
  const fetchPackage = async () => new Uint8Array([9, 9, 9]);
  const changed = { ...sources, kube: { ...sources.kube, get }, charts: { ...sources.charts, fetchPackage } };

  it("keeps serving the bytes that it was listed with while they are kept", async () => {
    expect(await findChart(wanting("1.0.0"), changed)).toMatchObject({ ok: true, bytes });
  });

  it("is refused by that name where only the new bytes can be had", async () => {
    const empty = { ...changed, blobs: { ...sources.blobs, get: async () => undefined } };
    const message = "it was published again";
    expect(await findChart(wanting("1.0.0"), empty)).toEqual({ ok: false, reason: "Quarantined", message });
  });

  it("in a registry is fetched by the digest that it was listed with, whatever its tag names now", async () => {
    const byDigest = `oci://h/store/web@${sha256("manifest")}`;
    const listed = { ...version, spec: { ...version.spec, urls: ["oci://h/store/web:1.0.0", byDigest] } };
    const inRegistry = async ({ kind }: { readonly kind: string }) =>
      [{ ...repo, spec: { ...repo.spec, url: "oci://h/store" } }, listed].find((each) => each.kind === kind) as never;
    const fetched = async (_: unknown, url: string) => (url === byDigest ? bytes : new Uint8Array([9]));
    const found = await findChart(wanting("1.0.0"), {
      ...changed,
      kube: { ...changed.kube, get: inRegistry },
      blobs: { ...sources.blobs, get: async () => undefined },
      charts: { ...sources.charts, fetchPackage: fetched },
    });
    expect(found).toMatchObject({ ok: true, bytes });
  });
});
