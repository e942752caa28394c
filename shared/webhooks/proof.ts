/** Where the public keys of an OIDC issuer are and what its token must say. */
export interface OidcDemands {
  readonly issuer: string;
  readonly keysUrl: string;
  readonly audience: string;
  readonly email: string;
}

/** What a sender brought along, beside what the receiver accepts; keys and tokens in the order in which they are tried. */
export type Proof =
  /** A shared secret, sent as it is; `given` are the ways to read the header that carries it. */
  | { readonly kind: "token"; readonly given: readonly string[]; readonly accepted: readonly string[] }
  /** The address itself is the secret. */
  | { readonly kind: "path"; readonly given: readonly string[]; readonly accepted: readonly string[] }
  /** Hex HMAC over the body. */
  | {
      readonly kind: "hmac-sha1" | "hmac-sha256";
      readonly signature: string;
      readonly keys: readonly string[];
    }
  /** GitHub's `sha256=<hex>`. */
  | { readonly kind: "github"; readonly signature: string; readonly keys: readonly string[] }
  /** The three headers of Standard Webhooks; the time they name may be five minutes off. */
  | {
      readonly kind: "standard-webhooks";
      readonly headers: Readonly<Record<string, string>>;
      readonly keys: readonly string[];
    }
  /** A bearer token that an issuer signed. */
  | { readonly kind: "oidc"; readonly token: string; readonly demands: OidcDemands }
  /** The signature inside a message of this SNS topic; the time it names may be an hour off. */
  | { readonly kind: "sns"; readonly topicArn: string };

/** Checks the proofs that senders of webhooks bring along. */
export interface WebhookProofs {
  /**
   * Whether the proof holds for exactly these bytes. Contacts no address but those that the receiver names: the keys of
   * its OIDC issuer, the SNS endpoint of its topic's region; fails with `Unavailable` where they do not answer.
   */
  holds(proof: Proof, body: Uint8Array): Promise<boolean>;
  /** Confirms the subscription of a receiver's SNS topic with the token of a message that was proven. */
  confirmSubscription(topicArn: string, token: string): Promise<void>;
}
