import type { JWTVerifyGetKey } from "jose";
import { Failure } from "../errors.ts";
import type { Proof } from "../webhooks/proof.ts";
import type { FetchSmall } from "./fetch-small.ts";

/** Whether a bearer token was signed by its issuer for us and belongs to the account that is expected. */
export type OidcCheck = (proof: Extract<Proof, { kind: "oidc" }>) => Promise<boolean>;

interface Keys {
  readonly find: JWTVerifyGetKey;
  readonly fetchedAt: number;
}

/** Keys are asked for again after this, and a key that is not among them no sooner than after the second. */
const KEEP_MS = 10 * 60_000;
const COOL_DOWN_MS = 30_000;

const ALGORITHMS = ["RS256", "ES256"];

/** Google names itself with and without scheme. */
const WITHOUT_SCHEME = /^https:\/\//;

/** Keeps the keys of each issuer for ten minutes. */
export function createOidcCheck(fetch: FetchSmall): OidcCheck {
  const known = new Map<string, Keys>();
  const keysOf = async (url: string, maxAgeMs: number): Promise<Keys> => {
    const kept = known.get(url);
    if (kept && Date.now() - kept.fetchedAt < maxAgeMs) return kept;
    const { createLocalJWKSet } = await import("jose");
    const find = createLocalJWKSet(jsonOf(await fetch(url), url));
    const keys = { find, fetchedAt: Date.now() };
    known.set(url, keys);
    return keys;
  };
  return async (proof) => {
    const { keysUrl } = proof.demands;
    const verdict = await verify(proof, await keysOf(keysUrl, KEEP_MS));
    return verdict === "unknown key"
      ? (await verify(proof, await keysOf(keysUrl, COOL_DOWN_MS))) === "yes"
      : verdict === "yes";
  };
}

async function verify(
  { token, demands }: Parameters<OidcCheck>[0],
  { find }: Keys,
): Promise<"yes" | "no" | "unknown key"> {
  const { jwtVerify, errors } = await import("jose");
  const { issuer, audience, email } = demands;
  try {
    const { payload } = await jwtVerify(token, find, {
      issuer: [issuer, issuer.replace(WITHOUT_SCHEME, "")],
      audience,
      algorithms: ALGORITHMS,
      requiredClaims: ["exp", "iat"],
      maxTokenAge: "2h",
      clockTolerance: 60,
    });
    // The audience alone would let any account in that may ask for tokens.
    return payload["email"] === email && payload["email_verified"] === true ? "yes" : "no";
  } catch (error) {
    return error instanceof errors.JWKSNoMatchingKey ? "unknown key" : "no";
  }
}

function jsonOf(bytes: Uint8Array, url: string) {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch (error) {
    throw new Failure("Unavailable", `${url} holds no JSON; oidc.keysUrl has to be a JSON Web Key Set`, {
      cause: error,
    });
  }
}
