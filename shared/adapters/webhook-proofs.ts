import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Proof, WebhookProofs } from "../webhooks/proof.ts";
import type { FetchHead } from "./charts-http-fetch.ts";
import { createFetchSmall } from "./fetch-small.ts";
import { createOidcCheck, type OidcCheck } from "./webhook-oidc.ts";
import { confirmationUrl, createSnsCheck, type SnsCheck } from "./webhook-sns.ts";

interface Checks {
  readonly oidc: OidcCheck;
  readonly sns: SnsCheck;
}

/** Checks what webhooks bring along; `fetchHead` is made when keys of an issuer that a receiver names are needed. */
export function createWebhookProofs(fetchHead: () => Promise<FetchHead>): WebhookProofs {
  const fetch = createFetchSmall(fetchHead);
  const checks: Checks = { oidc: createOidcCheck(fetch), sns: createSnsCheck(fetch) };
  return {
    holds: (proof, body) => holds(proof, Buffer.from(body.buffer, body.byteOffset, body.byteLength), checks),
    async confirmSubscription(topicArn, token) {
      await fetch(confirmationUrl(topicArn, token));
    },
  };
}

async function holds(proof: Proof, body: Buffer, { oidc, sns }: Checks): Promise<boolean> {
  switch (proof.kind) {
    case "token":
    case "path":
      return proof.accepted.some((accepted) => proof.given.some((given) => sameText(given, accepted)));
    case "hmac-sha1":
      return proof.keys.some((key) => sameHmac("sha1", { ...proof, key, body }));
    case "hmac-sha256":
      return proof.keys.some((key) => sameHmac("sha256", { ...proof, key, body }));
    case "github":
      return signedByGitHub(proof, body);
    case "standard-webhooks":
      return signedByStandardWebhooks(proof, body);
    case "oidc":
      return oidc(proof);
    case "sns":
      return sns(proof, body);
  }
}

/** Compares digests, so that neither content nor length shows in the time it takes. */
function sameText(given: string, accepted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(accepted));
}

interface Signed {
  readonly signature: string;
  readonly key: string;
  readonly body: Buffer;
}

function sameHmac(algorithm: "sha1" | "sha256", { signature, key, body }: Signed): boolean {
  const expected = createHmac(algorithm, key).update(body).digest("hex");
  return sameText(signature.toLowerCase(), expected);
}

async function signedByGitHub({ signature, keys }: Extract<Proof, { kind: "github" }>, body: Buffer): Promise<boolean> {
  const [key, ...others] = keys;
  if (key === undefined || body.length === 0) return false;
  const { verifyWithFallback } = await import("@octokit/webhooks-methods");
  return verifyWithFallback(key, body.toString("utf8"), signature, others);
}

async function signedByStandardWebhooks(
  { headers, keys }: Extract<Proof, { kind: "standard-webhooks" }>,
  body: Buffer,
): Promise<boolean> {
  const { Webhook } = await import("standardwebhooks");
  // The standard has keys in base64; whoever made one up himself may have left that out.
  const formats = [undefined, "raw"] as const;
  return keys.some((key) =>
    formats.some((format) => {
      try {
        const webhook = format === undefined ? new Webhook(key) : new Webhook(key, { format });
        webhook.verify(body, { ...headers }, { jsonParse: false });
        return true;
      } catch {
        return false;
      }
    }),
  );
}
