import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createOpenPgp } from "../../../shared/adapters/openpgp.ts";
import { NOW } from "../../support/objects.ts";

/** Keys and signatures that GnuPG 2.2.40 made with its clock set to the first day of 2025; see README.md there. */
const FOLDER = join(import.meta.dirname, "gpg");
const material = (name: string) => readFile(join(FOLDER, name));
const openpgp = createOpenPgp();

async function verify(name: string, keyring = "keyring.asc", at = NOW) {
  return openpgp.verifyClearSigned(await material(name), [await material(keyring)], at);
}

describe("signatures of GnuPG", () => {
  it("hold for a key of the keyring, with the text that was signed", async () => {
    expect(await verify("good.asc")).toEqual({
      ok: true,
      text: expect.stringMatching(/^apiVersion: v2\n.*\n\.\.\.\nfiles:\n {2}hello-1\.0\.0\.tgz: sha256:5891/s),
      signer: "49D04D8A70FE24F54235A009D5463C833979E1AB",
      identity: "Good Vendor <good@example.com>",
      signedTime: new Date("2025-01-01T00:00:00Z"),
    });
  });

  it("hold for a subkey, and name it", async () => {
    const fingerprint = "E306084BC602153EEF3F7695557753F70AC2E7F9";
    expect(await verify("subkey.asc")).toMatchObject({
      ok: true,
      signer: fingerprint,
      identity: expect.stringContaining("RSA Vendor"),
    });
  });

  it("hold with a binary keyring, and with several keyrings", async () => {
    const binary = Buffer.from(String(await material("good.gpg.base64")), "base64");
    const keyrings = [binary, await material("keyring.asc")];
    expect(await openpgp.verifyClearSigned(await material("good.asc"), [binary], NOW)).toMatchObject({ ok: true });
    expect(await openpgp.verifyClearSigned(await material("subkey.asc"), keyrings, NOW)).toMatchObject({ ok: true });
  });

  it.each([
    ["edited.asc", "SignatureInvalid", "D5463C833979E1AB"],
    ["stranger.asc", "SignerUnknown", "B2043F77BA1110E5, which is not in the keyring"],
    ["expired.asc", "KeyExpired", "expired"],
    ["revoked.asc", "KeyRevoked", "revoked"],
    ["short.asc", "SignatureWeak", "RSA keys shorter than 2047 bits"],
    ["sha1.asc", "SignatureWeak", "SHA1"],
    ["detached.asc", "SignatureUnreadable", "no clear-signed OpenPGP message"],
    ["keyring.asc", "SignatureUnreadable", "no clear-signed OpenPGP message"],
  ])("%s is refused: %s", async (name, reason, words) => {
    expect(await verify(name)).toMatchObject({ ok: false, reason, message: expect.stringContaining(words) });
  });

  it("are refused before they were made", async () => {
    const before = new Date("2024-12-31T00:00:00Z");
    expect(await verify("good.asc", "keyring.asc", before)).toMatchObject({ ok: false });
  });
});

describe("keyrings that cannot be used", () => {
  it.each([
    ["no keyring", []],
    ["an empty one", [Buffer.alloc(0)]],
    ["something else", [Buffer.from("hello")]],
    ["a broken one", [Buffer.from("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nAAAA\n-----END PGP PUBLIC KEY BLOCK-----")]],
  ])("%s is refused, and no signature holds", async (_, keyrings) => {
    const answer = await openpgp.verifyClearSigned(await material("good.asc"), keyrings, NOW);
    expect(answer).toMatchObject({ ok: false, reason: "KeyUnreadable", message: expect.stringMatching(/keyring/) });
  });
});
