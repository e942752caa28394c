import * as z from "zod";
import { Timestamp } from "../resource.ts";

const KeySecret = z.object({
  secretRef: z
    .object({ name: z.string().min(1).max(253).describe("Name of the Secret, in the store's own namespace.") })
    .describe("Secret that holds the public keys."),
});

/** Which signatures the charts of a repository must carry. */
export const Verify = z.object({
  policy: z
    .enum(["off", "warn", "require"])
    .describe("off: nothing is checked; warn: the outcome is only told; require: nothing unverified is installed."),
  provenance: KeySecret.optional().describe(
    "Packages carry a .prov file that one of these OpenPGP keys signed; every entry of the Secret is a keyring.",
  ),
  cosign: KeySecret.optional().describe(
    "Charts in the registry carry a cosign signature by one of these keys; entries of the Secret end in .pub.",
  ),
});
export type Verify = z.output<typeof Verify>;

const Evidence = z.object({
  method: z.enum(["provenance", "cosign"]).describe("Kind of signature."),
  signer: z.string().max(128).describe("Fingerprint of the key that signed."),
  identity: z.string().max(256).optional().describe("Who the key says that it belongs to."),
  signedTime: Timestamp.optional().describe("When it was signed, as the signature says."),
});
export type Evidence = z.output<typeof Evidence>;

/** What the last look at the signatures of a package found; the condition Verified says whether that is enough. */
export const Verification = z.object({
  digest: z.string().max(128).optional().describe("Digest of the package that the signatures speak of."),
  time: Timestamp.describe("When the signatures were checked."),
  mark: z.string().max(128).describe("Digest of the demands and keys that they were checked against."),
  evidence: z.array(Evidence).max(8).describe("The signatures that hold; empty where one is missing."),
});
export type Verification = z.output<typeof Verification>;
