import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAttestations } from "../../../shared/adapters/attestations.ts";
import { createFetchHead } from "../../../shared/adapters/charts-http-fetch.ts";
import type { SignedChart } from "../../../shared/ports.ts";
import { type CosignKey, checkCosign, readCosignKey } from "../../../shared/trust/cosign.ts";
import { startRegistry, type TestRegistry } from "../../support/registry.ts";
import { putBlob, putManifest } from "../../support/registry-uploads.ts";
import { makeVendor, openSignedRepository, SIGNED_CHART } from "../../support/signing.ts";

const FOLDER = join(import.meta.dirname, "cosign");
const PACKAGE = "sha256:3cc4bfb4929a937a3d4b132b26d350ca8d92107954a3858ccbc49e9b5d10608e";
const HELLO = { name: "hello", version: "1.0.0" };
const attestations = createAttestations(createFetchHead());
let registry: TestRegistry;
let key: CosignKey;

type Recorded =
  | { readonly blob: string; readonly base64: string }
  | { readonly manifest: string; readonly mediaType: string; readonly text: string };

beforeAll(async () => {
  registry = await startRegistry();
  const lines = (await readFile(join(FOLDER, "registry.ndjson"), "utf8")).trim().split("\n");
  for (const line of lines) await store(JSON.parse(line) as Recorded);
  const read = readCosignKey(await readFile(join(FOLDER, "cosign.pub"), "utf8"));
  if ("reason" in read) throw new Error(read.message);
  key = read;
});
afterAll(() => registry?.[Symbol.asyncDispose]());

async function store(recorded: Recorded): Promise<void> {
  const place = { host: registry.host, repository: "charts/hello" };
  if ("manifest" in recorded) await putManifest(place, recorded.manifest, recorded);
  else await putBlob(place, Buffer.from(recorded.base64, "base64"));
}

async function signed(reference = ":1.0.0"): Promise<SignedChart> {
  const url = `oci://${registry.host}/charts/hello`;
  const found = await attestations.fetchSignatures({ url }, url + reference);
  if (!found) throw new Error("nothing was found");
  return found;
}

describe("signatures of the real cosign in a real registry", () => {
  it("are found in both forms, beside an attestation", async () => {
    const { signatures, bundles } = await signed();
    expect([signatures.length, bundles.length]).toEqual([1, 2]);
  });

  it("hold in each form alone, for the package that the manifest names", async () => {
    const chart = await signed();
    const evidence = { method: "cosign", signer: key.fingerprint };
    const held = { ok: true, digest: PACKAGE, evidence };
    expect(checkCosign({ ...chart, bundles: [] }, [key], { ...HELLO, digest: PACKAGE })).toEqual(held);
    expect(checkCosign({ ...chart, signatures: [] }, [key], HELLO)).toEqual(held);
  });

  it("are found by the digest of the manifest too", async () => {
    const reference = "@sha256:58491053ee7f703ed06a01cd1869e9eb014896d9a29e58279a7d8d19b078e665";
    expect(await signed(reference)).toEqual(await signed());
  });

  it("do not hold as an attestation alone, for another version or for other bytes", async () => {
    const chart = await signed();
    const attestation = chart.bundles.filter((bundle) => !holdsAlone({ ...chart, signatures: [], bundles: [bundle] }));
    expect(attestation).toHaveLength(1);
    const alone = checkCosign({ ...chart, signatures: [], bundles: attestation }, [key], HELLO);
    expect(alone).toMatchObject({ ok: false, reason: "SignatureMissing" });
    const later = { ...HELLO, version: "1.0.1" };
    expect(checkCosign(chart, [key], later)).toMatchObject({ ok: false, reason: "WrongChart" });
    const other = { ...HELLO, digest: `sha256:${"00".repeat(32)}` };
    expect(checkCosign(chart, [key], other)).toMatchObject({ ok: false, reason: "DigestMismatch" });
  });

  const holdsAlone = (chart: SignedChart) => checkCosign(chart, [key], HELLO).ok;

  it("cannot be had of a chart that is not there", async () => {
    await expect(signed(":9.9.9")).rejects.toMatchObject({
      kind: "Invalid",
      message: expect.stringContaining("9.9.9"),
    });
  });
});

describe("provenance in a registry", () => {
  it("is the file that helm pushed with the package, and nothing where there was none", async () => {
    await using repository = await openSignedRepository();
    const file = await repository.add("1.0.0", await makeVendor("vendor"));
    await registry.helm("push", file, `oci://${registry.host}/signed`);
    const url = `oci://${registry.host}/signed/${SIGNED_CHART}:1.0.0`;
    const found = await attestations.fetchProvenance({ url }, url);
    expect(Buffer.from(found ?? [])).toEqual(await readFile(`${file}.prov`));
    const unsigned = `oci://${registry.host}/charts/hello:1.0.0`;
    expect(await attestations.fetchProvenance({ url: unsigned }, unsigned)).toBeUndefined();
  });
});
