import { createHash } from "node:crypto";
import type { Delivery } from "./delivery.ts";
import type { Proof } from "./proof.ts";

/** What a receiver's Secret offers to check with: the token, and the one before it while it is being changed. */
export function tokensOf({ secrets }: Pick<Delivery, "secrets">): readonly string[] {
  return [secrets["token"], secrets["previousToken"]].filter(
    (token) => token !== undefined && token !== "",
  ) as string[];
}

/** The keys of a receiver that demands signatures of a producer which could also send its token as it is. */
export function signingKeysOf({ secrets }: Pick<Delivery, "secrets">): readonly string[] {
  return [secrets["signingKey"], secrets["previousSigningKey"]].filter(
    (key) => key !== undefined && key !== "",
  ) as string[];
}

/** A signature over the body, where the delivery brings one and the receiver has keys to check it with. */
export function signatureProof(
  kind: "github" | "hmac-sha1" | "hmac-sha256",
  signature: string | undefined,
  keys: readonly string[],
): Proof | undefined {
  return !signature || keys.length === 0 ? undefined : { kind, signature, keys };
}

/** The token in the receiver's header: alone, as bearer, or as password of basic authentication. */
export function tokenProof(
  delivery: Delivery,
  header = delivery.receiver.header ?? "authorization",
): Proof | undefined {
  const given = delivery.headers[header.toLowerCase()] ?? "";
  const accepted = tokensOf(delivery);
  if (given === "" || accepted.length === 0) return undefined;
  // A token may itself begin with Bearer or Basic.
  return { kind: "token", given: [given, bareToken(given)], accepted };
}

/** The secret in the address, for producers that neither sign nor send headers: see `addressToken`. */
export function addressProof(delivery: Delivery): Proof | undefined {
  const { repo, receiver, addressToken: given } = delivery;
  const accepted = tokensOf(delivery).map((token) => addressToken(repo, receiver.name, token));
  return given === "" || accepted.length === 0 ? undefined : { kind: "path", given: [given], accepted };
}

/** What stands in the address in place of the token: SHA-256 of `<HelmRepo>/<receiver>/<token>` in hex. */
export function addressToken(repo: string, receiver: string, token: string): string {
  return createHash("sha256").update(`${repo}/${receiver}/${token}`).digest("hex");
}

function bareToken(header: string): string {
  const [, scheme = "", value = ""] = /^(bearer|basic) +(.+)$/i.exec(header) ?? [];
  if (scheme === "") return header;
  if (scheme.toLowerCase() === "bearer") return value;
  const decoded = Buffer.from(value, "base64").toString("utf8");
  return decoded.slice(decoded.indexOf(":") + 1);
}
