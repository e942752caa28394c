import { describe, expect, it } from "vitest";
import { given, LONG_AGO, NOW } from "../../test/support/objects.ts";
import { sha256 } from "../digest.ts";
import { Failure } from "../errors.ts";
import type { ClearSigned } from "../ports.ts";
import { Secret } from "../resources/core.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { HelmRelease } from "../resources/helm-release.ts";
import { HelmRepo } from "../resources/helm-repo.ts";
import { readDemands } from "./trust-keys.ts";
import { stillTrusted, type TrustSources, trusted } from "./trusted-chart.ts";

const bytes = new Uint8Array([1, 2, 3]);
const digest = sha256(bytes);
const chart = { ok: true as const, bytes, digest };
const url = "https://charts.example.com/web-1.0.0.tgz";
const keys = { name: "keys", metadata: { namespace: "openpitrix" } };
const text = (version = "1.0.0", stated = digest) =>
  `name: web\nversion: ${version}\n\n...\nfiles:\n  web-${version}.tgz: ${stated}\n`;
const signedBy = (signed: string): ClearSigned => ({ ok: true, text: signed, signer: "AB12", signedTime: NOW });

function repoWith(policy: "off" | "warn" | "require", kinds: readonly string[] = ["provenance"]) {
  const asked = Object.fromEntries(kinds.map((kind) => [kind, { secretRef: { name: keys.name } }]));
  const verify = { policy, ...asked };
  return given(HelmRepo, "repo-1", { spec: { name: "charts", url: "https://charts.example.com", verify } });
}

interface Told {
  readonly secret?: boolean;
  readonly provenance?: () => Promise<Uint8Array | undefined>;
  readonly signed?: ClearSigned;
  readonly holds?: string;
}

function sources({ secret = true, provenance, signed, holds = "1.0.0" }: Told = {}): TrustSources {
  const found = given(Secret, keys.name, keys);
  const yaml = `apiVersion: v2\nname: web\nversion: ${holds}\n`;
  return {
    kube: {
      get: async () => (secret ? ({ ...found, data: { "ring.gpg": "AAAA" } } as never) : undefined),
      list: async () => [],
    },
    charts: {
      readArchive: async () => ({
        ok: true,
        folder: "web",
        files: [{ path: "Chart.yaml", bytes: yaml.length, text: yaml }],
        warnings: [],
      }),
    },
    attestations: {
      fetchProvenance: provenance ?? (async () => new Uint8Array(1)),
      fetchSignatures: async () => undefined,
    },
    openpgp: { verifyClearSigned: async () => signed ?? signedBy(text()) },
    clock: { now: () => NOW },
  };
}

function fetchedFrom(repo: HelmRepo) {
  const version = given(HelmApplicationVersion, "appv-1", { spec: { name: "web", version: "1.0.0", digest } });
  return { chart, repo, version, url, access: { url: repo.spec.url } };
}

describe("a package whose repository requires a signature", () => {
  it("is installed with the evidence beside it when the signature holds", async () => {
    expect(await trusted(fetchedFrom(repoWith("require")), sources())).toEqual({
      ...chart,
      verdict: {
        verified: true,
        digest,
        mark: expect.stringMatching(/^sha256:/),
        time: NOW.toISOString(),
        evidence: [{ method: "provenance", signer: "AB12", signedTime: NOW.toISOString() }],
      },
    });
  });

  const down = async () => {
    throw new Failure("Unavailable", "fetch charts.example.com: no answer");
  };
  const huge = async () => {
    throw new Failure("TooLarge", "the body has more than 262144 bytes");
  };
  it.each<[string, Told, string]>([
    ["there is no key", { secret: false }, "NoKey"],
    ["there is no signature", { provenance: async () => undefined }, "SignatureMissing"],
    ["the signature is endless", { provenance: huge }, "SignatureUnreadable"],
    ["the key has expired", { signed: { ok: false, reason: "KeyExpired", message: "expired" } }, "KeyExpired"],
    ["other bytes were signed", { signed: signedBy(text("1.0.0", sha256("other"))) }, "DigestMismatch"],
    ["another version was signed", { signed: signedBy(text("1.0.1")) }, "WrongChart"],
    ["what was signed is no provenance", { signed: signedBy("hello") }, "ProvenanceUnreadable"],
    ["the package holds another version", { holds: "0.9.0" }, "WrongChart"],
  ])("is refused where %s", async (_, told, reason) => {
    const answer = await trusted(fetchedFrom(repoWith("require")), sources(told));
    expect(answer).toMatchObject({ ok: false, reason, verdict: { verified: false, reason, digest, evidence: [] } });
    expect("bytes" in answer).toBe(false);
    const warned = await trusted(fetchedFrom(repoWith("warn")), sources(told));
    expect(warned).toMatchObject({ ok: true, bytes, verdict: { verified: false, reason } });
  });

  it("keeps serving where the repository published other bytes under its name, as long as today's keys vouch for it", async () => {
    const repo = repoWith("require");
    const moved = sources({ signed: signedBy(text("1.0.0", sha256("other"))) });
    const { mark = "" } = (await readDemands(repo, moved.kube)) ?? {};
    const evidence = [{ method: "provenance" as const, signer: "AB12" }];
    const verification = { digest, mark, time: LONG_AGO, evidence };
    const from = (known: typeof verification) => {
      const fetched = fetchedFrom(repo);
      return { ...fetched, version: { ...fetched.version, status: { verification: known } } };
    };
    const kept = await trusted(from(verification), moved);
    expect(kept).toEqual({ ...chart, verdict: { ...verification, verified: true } });
    const refused = { ok: false, reason: "DigestMismatch" };
    expect(await trusted(from({ ...verification, mark: "sha256:00" }), moved)).toMatchObject(refused);
    expect(await trusted(from({ ...verification, digest: sha256("old") }), moved)).toMatchObject(refused);
    expect(await trusted(from({ ...verification, evidence: [] }), moved)).toMatchObject(refused);
    const unsigned = sources({ provenance: async () => undefined });
    expect(await trusted(from(verification), unsigned)).toMatchObject({ ok: false, reason: "SignatureMissing" });
  });

  it("is refused where one of two kinds is missing, and where no kind is named", async () => {
    const both = await trusted(fetchedFrom(repoWith("require", ["provenance", "cosign"])), sources());
    expect(both).toMatchObject({ ok: false, reason: "NoKey", message: expect.stringContaining(".pub") });
    expect(await trusted(fetchedFrom(repoWith("require", [])), sources())).toMatchObject({
      ok: false,
      reason: "NoKey",
    });
  });

  it("waits for a repository that does not answer, and is installed at once where that is only told", async () => {
    const silent = sources({ provenance: down });
    await expect(trusted(fetchedFrom(repoWith("require")), silent)).rejects.toThrow("no answer");
    expect(await trusted(fetchedFrom(repoWith("warn")), silent)).toMatchObject({
      ok: true,
      verdict: { verified: false },
    });
  });
});

it("asks for nothing where the policy is off", async () => {
  expect(await trusted(fetchedFrom(repoWith("off")), sources({ secret: false }))).toEqual(chart);
});

describe("a package that runs and whose version was withdrawn", () => {
  const spec = { name: "web", chartName: "web", chartVersion: "1.0.0", version: 2 };
  const releaseWith = (verification?: NonNullable<HelmRelease["status"]>["verification"]) =>
    given(HelmRelease, "rls-1", { spec, status: { state: "active", ...(verification ? { verification } : {}) } });

  it("goes on with the evidence of its installation, and without it is refused", async () => {
    const repo = repoWith("require");
    const { mark = "" } = (await readDemands(repo, sources().kube)) ?? {};
    const evidence = [{ method: "provenance" as const, signer: "AB12" }];
    const known = { digest, mark, time: NOW.toISOString(), evidence };
    expect(await stillTrusted(chart, { release: releaseWith(known), repo }, sources())).toMatchObject({ ok: true });
    for (const other of [undefined, { ...known, mark: "sha256:00" }, { ...known, digest: "sha256:00" }]) {
      const release = releaseWith(other);
      expect(await stillTrusted(chart, { release, repo }, sources())).toMatchObject({ ok: false });
    }
    expect(await stillTrusted(chart, { release: releaseWith(), repo: repoWith("off") }, sources())).toEqual(chart);
  });
});
