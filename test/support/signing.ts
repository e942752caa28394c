import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKey, type PrivateKey, type PublicKey, reformatKey, revokeKey } from "openpgp";
import { helmHome, makeIndex } from "../../knative/local/demo/chart-packages.ts";
import { type ChartServer, serveCharts } from "../../knative/local/demo/chart-server.ts";
import { runCommand } from "../../knative/local/tools/run-command.ts";
import { binary } from "./binaries.ts";

/** An OpenPGP key of a vendor. */
export interface Vendor {
  readonly name: string;
  readonly publicKey: Uint8Array;
  readonly secretKey: Uint8Array;
}

/** What became of a key after it signed; the public key says so. */
export type KeyFate = "valid" | "expired" | "revoked";

/** Makes a key that signs from an hour ago on. */
export async function makeVendor(name: string, fate: KeyFate = "valid"): Promise<Vendor> {
  const userIDs = [{ name, email: `${name}@example.com` }];
  const date = new Date(Date.now() - 3_600_000);
  const { publicKey, privateKey } = await generateKey({ userIDs, date, format: "object" });
  const told = { valid: () => publicKey, expired, revoked };
  return { name, publicKey: (await told[fate](privateKey, date)).write(), secretKey: privateKey.write() };
}

async function expired(privateKey: PrivateKey, date: Date): Promise<PublicKey> {
  const userIDs = privateKey.users.flatMap(({ userID }) => (userID ? [userID] : []));
  return (await reformatKey({ privateKey, userIDs, date, keyExpirationTime: 60, format: "object" })).publicKey;
}

async function revoked(key: PrivateKey): Promise<PublicKey> {
  return (await revokeKey({ key, format: "object" })).publicKey;
}

/** A Helm repository in a folder, whose packages the real helm signs. */
export interface SignedRepository extends AsyncDisposable {
  readonly url: string;
  /** Packages a chart of that version, signed where a vendor is named; returns the path of the package. */
  add(version: string, vendor?: Vendor): Promise<string>;
  /** Lets the provenance of one version stand beside another one's package. */
  reuseProvenance(from: string, to: string): Promise<void>;
  /** Lists everything in index.yaml with the real helm. */
  index(): Promise<void>;
}

/** The chart that a signed repository offers; a ConfigMap is all that it installs. */
export const SIGNED_CHART = "notes";

/** Opens an empty repository and serves it. */
export async function openSignedRepository(): Promise<SignedRepository> {
  const folder = await mkdtemp(join(tmpdir(), "signed-charts-"));
  const at = { helm: binary("helm"), folder };
  const files = join(folder, "repository");
  const chart = join(folder, SIGNED_CHART);
  await runCommand(at.helm, ["create", chart], { env: helmHome(at) });
  await rm(join(chart, "templates"), { recursive: true });
  const server: ChartServer = await serveCharts(files);
  const fileOf = (version: string) => join(files, `${SIGNED_CHART}-${version}.tgz`);
  return {
    url: server.url,
    async add(version, vendor) {
      const args = ["package", chart, "--version", version, "--destination", files];
      const signing = vendor ? ["--sign", "--key", vendor.name, "--keyring", join(folder, `${vendor.name}.gpg`)] : [];
      if (vendor) await writeFile(join(folder, `${vendor.name}.gpg`), vendor.secretKey, { mode: 0o600 });
      // Packages of one version differ by their text, as those of two builds do.
      await writeFile(join(chart, "README.md"), `build ${builds++}\n`);
      await runCommand(at.helm, [...args, ...signing], { env: helmHome(at) });
      return fileOf(version);
    },
    reuseProvenance: (from, to) => rename(`${fileOf(from)}.prov`, `${fileOf(to)}.prov`),
    index: () => makeIndex(at, files),
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let builds = 0;
