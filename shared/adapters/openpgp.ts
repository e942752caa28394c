import type { Key, PublicKey } from "openpgp";
import { messageOf } from "../errors.ts";
import type { ClearSigned, OpenPgp } from "../ports.ts";

/** A keyring above this is not a few signers but a key server's dump. */
const MAX_KEYS = 200;

/** Blocks of several armored keys in one file, as `cat a.asc b.asc` makes it. */
const ARMORED =
  /-----BEGIN PGP (?:PUBLIC|PRIVATE) KEY BLOCK-----[\s\S]*?-----END PGP (?:PUBLIC|PRIVATE) KEY BLOCK-----/g;

/**
 * Checks OpenPGP signatures with OpenPGP.js. MD5, SHA-1 and RIPEMD, RSA below 2048 bits, DSA and ElGamal count as weak;
 * a key must be valid both when it signed and now.
 */
export function createOpenPgp(): OpenPgp {
  return { verifyClearSigned };
}

type Refused = Extract<ClearSigned, { ok: false }>;

/** Loaded at the first signature: 0.4 MB that no other function needs. */
const library = () => import("openpgp");

async function verifyClearSigned(message: Uint8Array, keyrings: readonly Uint8Array[], at: Date): Promise<ClearSigned> {
  const keys = await readKeyrings(keyrings);
  return Array.isArray(keys) ? verifyWith(keys, message, at) : keys;
}

async function readKeyrings(keyrings: readonly Uint8Array[]): Promise<PublicKey[] | Refused> {
  try {
    const keys = (await Promise.all(keyrings.map(readKeyring))).flat();
    if (keys.length === 0) return refused("KeyUnreadable", "the keyring holds no OpenPGP key");
    if (keys.length <= MAX_KEYS) return keys.map((key) => key.toPublic());
    return refused("KeyUnreadable", `the keyring holds ${keys.length} keys, at most ${MAX_KEYS} are read`);
  } catch (error) {
    return refused("KeyUnreadable", `the keyring cannot be read: ${messageOf(error)}`);
  }
}

async function readKeyring(bytes: Uint8Array): Promise<Key[]> {
  const { readKeys } = await library();
  const text = Buffer.from(bytes).toString("latin1");
  if (!text.includes("-----BEGIN PGP")) return readKeys({ binaryKeys: bytes });
  const blocks = text.match(ARMORED) ?? [];
  return (await Promise.all(blocks.map((armoredKeys) => readKeys({ armoredKeys })))).flat();
}

async function verifyWith(keys: readonly PublicKey[], bytes: Uint8Array, at: Date): Promise<ClearSigned> {
  const { readCleartextMessage, verify } = await library();
  try {
    const cleartextMessage = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const message = await readCleartextMessage({ cleartextMessage });
    const { data, signatures } = await verify({ message, verificationKeys: [...keys], date: at });
    const checks = await Promise.all(signatures.map((signature) => check(signature, keys, at)));
    const signed = checks.find((each) => each.ok) ?? checks[0];
    if (!signed) return refused("SignatureUnreadable", "the text carries no signature of data");
    return signed.ok ? { ...signed, text: data } : signed;
  } catch (error) {
    return refused("SignatureUnreadable", `it is no clear-signed OpenPGP message: ${messageOf(error)}`);
  }
}

type Signatures = Awaited<ReturnType<typeof import("openpgp")["verify"]>>["signatures"];
type Signer = Omit<Extract<ClearSigned, { ok: true }>, "text">;

async function check(result: Signatures[number], keys: readonly PublicKey[], at: Date): Promise<Signer | Refused> {
  const { keyID, verified, signature } = result;
  const id = keyID.toHex().toUpperCase();
  const key = keys.find((each) => each.getKeys(keyID).length > 0);
  if (!key) return refused("SignerUnknown", `the signature is by key ${id}, which is not in the keyring`);
  try {
    const [signer] = await Promise.all([key.getSigningKey(keyID, at), verified]);
    const { packets } = await signature;
    return { ok: true, signer: signer.getFingerprint().toUpperCase(), ...identityOf(key), signedTime: timeOf(packets) };
  } catch (error) {
    return refused(reasonOf(error), `the signature by key ${id} does not hold: ${messageOf(error)}`);
  }
}

function identityOf(key: PublicKey): { readonly identity?: string } {
  const [identity] = key.getUserIDs();
  return identity === undefined ? {} : { identity: identity.slice(0, 256) };
}

function timeOf(packets: Iterable<{ readonly created?: Date | null }>): Date {
  const [packet] = packets;
  return packet?.created ?? new Date(0);
}

/** The library tells its reasons in words only. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/revoked/i, "KeyRevoked"],
  [/expired/i, "KeyExpired"],
  [/insecure|weak|considered|elgamal|dsa keys/i, "SignatureWeak"],
];

function reasonOf(error: unknown): string {
  const text = messageOf(error);
  return REASONS.find(([words]) => words.test(text))?.[1] ?? "SignatureInvalid";
}

function refused(reason: string, message: string): Refused {
  return { ok: false, reason, message };
}
