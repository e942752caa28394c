import { generateKeyPairSync } from "node:crypto";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { runCommand } from "../../knative/local/tools/run-command.ts";
import { appId, versionId } from "../../shared/charts/ids.ts";
import { findCondition } from "../../shared/conditions.ts";
import { VerificationCompleted } from "../../shared/events/verification.ts";
import { SYSTEM_NAMESPACE } from "../../shared/origin.ts";
import { apiVersionOf, type KubeObject, type ResourceDefinition } from "../../shared/resource.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";
import { binary } from "../support/binaries.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { opx } from "../support/opx.ts";
import { startRegistry } from "../support/registry.ts";
import { signAsCosign } from "../support/registry-uploads.ts";
import {
  makeVendor,
  openSignedRepository,
  SIGNED_CHART,
  type SignedRepository,
  type Vendor,
} from "../support/signing.ts";
import { until } from "../support/until.ts";

const REPO = "signed";
const OCI = "registry";
const SECRET = "vendors";
/** Versions of the chart, and what becomes of each where signatures are required; "" means installed. */
const TWINS = {
  "1.0.0": "",
  "1.1.0": "SignatureMissing",
  "1.2.0": "SignerUnknown",
  "1.3.0": "SignatureInvalid",
  "1.4.0": "WrongChart",
  "1.5.0": "DigestMismatch",
  "1.6.0": "SignatureUnreadable",
  "1.7.0": "KeyExpired",
  "1.8.0": "KeyRevoked",
} as const;
type Twin = keyof typeof TWINS;
const TWIN_NAMES = Object.keys(TWINS) as Twin[];

let laptop: Laptop;
let repository: SignedRepository;

beforeAll(async () => {
  repository = await openSignedRepository();
  const vendor = await makeVendor("vendor");
  const expired = await makeVendor("expired", "expired");
  const revoked = await makeVendor("revoked", "revoked");
  await repository.add("1.2.0", await makeVendor("stranger"));
  await repository.add("1.7.0", expired);
  await repository.add("1.8.0", revoked);
  await publish(repository, vendor);
  laptop = await startTestLaptop();
  const keyrings = [vendor, expired, revoked].map(({ name, publicKey }) => [`${name}.gpg`, base64(publicKey)]);
  const data = Object.fromEntries(keyrings);
  await create(Secret, { name: SECRET, namespace: SYSTEM_NAMESPACE }, { data });
  const verify = { policy: "require", provenance: { secretRef: { name: SECRET } } };
  await create(HelmRepo, { name: REPO }, { spec: { name: REPO, url: repository.url, syncPeriod: 0, verify } });
});
afterAll(async () => {
  await laptop?.close();
  await repository?.[Symbol.asyncDispose]();
});

/** A signed package, and a twin for each way in which a signature can fail to vouch for one. */
async function publish(to: SignedRepository, vendor: Vendor): Promise<void> {
  await to.add("1.0.0", vendor);
  await to.add("1.1.0");
  const edited = await to.add("1.3.0", vendor);
  const text = await readFile(`${edited}.prov`, "utf8");
  await writeFile(`${edited}.prov`, text.replace("A Helm chart", "A Helm Chart"));
  await to.add("1.4.0");
  await to.add("1.4.1", vendor);
  await to.reuseProvenance("1.4.1", "1.4.0");
  const rebuilt = await to.add("1.5.0", vendor);
  const signed = await readFile(`${rebuilt}.prov`);
  await to.add("1.5.0", vendor);
  await writeFile(`${rebuilt}.prov`, signed);
  const endless = await to.add("1.6.0", vendor);
  await appendFile(`${endless}.prov`, Buffer.alloc(300 * 1024, "\n"));
  await to.index();
}
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const cosignKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" });

function create(kind: ResourceDefinition, metadata: KubeObject["metadata"], rest: object): Promise<KubeObject> {
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...rest };
  return laptop.kube.create(kind, object as KubeObject, "test");
}

const nameOf = (version: string, repo = REPO) => versionId(appId({ repo }, SIGNED_CHART), version);

async function verdictOf(version: string, repo = REPO) {
  const found = await laptop.kube.get(HelmApplicationVersion, nameOf(version, repo));
  return findCondition(found?.status?.conditions, "Verified") && found?.status;
}

test.each(TWIN_NAMES)("after the sync, version %s says whether it is vouched for", async (version) => {
  const status = await until(`${version} is looked at`, () => verdictOf(version));
  const reason = TWINS[version];
  const verified = findCondition(status?.conditions, "Verified");
  expect(verified).toMatchObject(
    reason === "" ? { status: "True", reason: "SignatureVerified" } : { status: "False", reason },
  );
  expect(status?.state).toBe("active");
  expect(status?.verification?.evidence).toHaveLength(reason === "" ? 1 : 0);
  const told = { version: nameOf(version), verified: reason === "" };
  const facts = () => laptop.published().filter(({ type }) => type === VerificationCompleted.type);
  await until("it is told", () =>
    facts().some(({ data }) => isDeepStrictEqual({ ...(data as object), ...told }, data)),
  );
});

test("opx counts what is vouched for and names what is not", async () => {
  await until("all versions are looked at", async () => {
    const looked = await Promise.all(TWIN_NAMES.map((version) => verdictOf(version)));
    return looked.every((status) => status !== undefined);
  });
  const env = { KUBECONFIG: laptop.kubeconfigPath };
  const { out } = await opx(["repo", "status", REPO], { env });
  // 1.4.1 lent its signature to 1.4.0.
  expect(out).toContain(`signatures are checked (require): 1 of ${TWIN_NAMES.length + 1} versions are vouched for`);
  for (const [version, reason] of Object.entries(TWINS)) {
    if (reason !== "") expect(out).toMatch(new RegExp(`^ *${SIGNED_CHART} ${version} +${reason} `, "m"));
  }
  const signatures = { policy: "require", verified: 1, versions: TWIN_NAMES.length + 1 };
  expect(JSON.parse((await opx(["repo", "status", REPO, "--json"], { env })).out)).toMatchObject({ signatures });
});

test("of all twins, only the one that is vouched for is installed", async () => {
  await until("the versions are there", async () => (await verdictOf("1.0.0")) !== undefined);
  for (const version of TWIN_NAMES) {
    const name = `notes-${version.replaceAll(".", "-")}`;
    await create(HelmRequest, { name }, { spec: { name, appVerId: nameOf(version), namespace: "default" } });
  }
  const decided = async () => {
    const releases = await laptop.kube.list(HelmRelease);
    const ended = releases.filter(({ status }) => findCondition(status?.conditions, "Verified"));
    return ended.length === TWIN_NAMES.length && ended;
  };
  const releases = await until("every release is decided", decided);
  for (const { spec, status } of releases) {
    const reason = TWINS[spec.chartVersion as Twin];
    const verified = findCondition(status?.conditions, "Verified");
    if (reason === "") {
      expect(verified).toMatchObject({ status: "True" });
      expect(status?.verification).toMatchObject({
        digest: status?.packageDigest,
        evidence: [{ method: "provenance" }],
      });
    } else {
      expect(verified, spec.chartVersion).toMatchObject({ status: "False", reason });
      expect(status).toMatchObject({ state: "failed", message: expect.stringContaining("requires signatures") });
      expect(status?.packageDigest).toBeUndefined();
    }
  }
  expect(await installed()).toEqual(["notes-1-0-0"]);
});

test("in a registry, only the chart that cosign signed is installed", async () => {
  await using registry = await startRegistry();
  const [ours, theirs] = [cosignKey(), cosignKey()];
  const place = { host: registry.host, repository: `charts/${SIGNED_CHART}` };
  for (const version of ["3.0.0", "3.1.0", "3.2.0"]) {
    await registry.helm("push", await repository.add(version), `oci://${registry.host}/charts`);
  }
  await signAsCosign(place, "3.0.0", ours.privateKey);
  await signAsCosign(place, "3.1.0", theirs.privateKey);
  const data = { "cosign.pub": base64(Buffer.from(ours.publicKey.export({ type: "spki", format: "pem" }))) };
  await create(Secret, { name: "cosign", namespace: SYSTEM_NAMESPACE }, { data });
  const verify = { policy: "require", cosign: { secretRef: { name: "cosign" } } };
  const spec = { name: OCI, url: `oci://${registry.host}/charts`, charts: [SIGNED_CHART], syncPeriod: 0, verify };
  await create(HelmRepo, { name: OCI }, { spec });
  const expected = { "3.0.0": "SignatureVerified", "3.1.0": "SignerUnknown", "3.2.0": "SignatureMissing" };
  for (const [version, reason] of Object.entries(expected)) {
    const status = await until(`${version} is looked at`, () => verdictOf(version, OCI));
    expect(findCondition(status?.conditions, "Verified"), version).toMatchObject({ reason });
    const name = `oci-${version.replaceAll(".", "-")}`;
    await create(HelmRequest, { name }, { spec: { name, appVerId: nameOf(version, OCI), namespace: "default" } });
  }
  const decided = async () => {
    const releases = (await laptop.kube.list(HelmRelease)).filter(({ spec: { repoId } }) => repoId === OCI);
    const found = releases.map(({ spec: { chartVersion }, status }) => [
      chartVersion,
      findCondition(status?.conditions, "Verified")?.reason,
    ]);
    return found.filter(([, reason]) => reason).length === 3 && Object.fromEntries(found);
  };
  expect(await until("every release is decided", decided)).toEqual(expected);
  expect((await installed()).filter((name) => name.startsWith("oci-"))).toEqual(["oci-3-0-0"]);
});

test("a key that is taken away no longer vouches for anything", async () => {
  const secret = { name: SECRET, namespace: SYSTEM_NAMESPACE };
  const before = await laptop.kube.get(Secret, secret);
  if (!before) throw new Error("the Secret is gone");
  const data = { "vendor.gpg": base64((await makeVendor("successor")).publicKey) };
  await laptop.kube.replace(Secret, { ...before, data } as KubeObject, "test");
  await create(
    HelmRequest,
    { name: "late" },
    { spec: { name: "late", appVerId: nameOf("1.0.0"), namespace: "default" } },
  );
  const late = async () => (await laptop.kube.list(HelmRelease)).find(({ spec }) => spec.name === "late")?.status;
  const status = await until("the release is refused", async () => {
    const found = await late();
    return found?.state === "failed" && found;
  });
  expect(findCondition(status.conditions, "Verified")).toMatchObject({ status: "False", reason: "SignerUnknown" });
  expect(await installed()).not.toContain("late");
});

/** What Helm itself says is installed. */
async function installed(): Promise<readonly string[]> {
  const env = { HOME: tmpdir(), KUBECONFIG: laptop.kubeconfigPath };
  const listed = await runCommand(binary("helm"), ["list", "-n", "default", "-o", "json"], { env });
  return (JSON.parse(listed) as readonly { readonly name: string }[]).map(({ name }) => name);
}
