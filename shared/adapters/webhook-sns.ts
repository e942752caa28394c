import { createVerify, X509Certificate } from "node:crypto";
import * as z from "zod";
import { Failure } from "../errors.ts";
import type { Proof } from "../webhooks/proof.ts";
import type { FetchSmall } from "./fetch-small.ts";

/** Whether a message was signed by Amazon and belongs to the receiver's topic. */
export type SnsCheck = (proof: Extract<Proof, { kind: "sns" }>, body: Buffer) => Promise<boolean>;

const Message = z.object({
  Type: z.enum(["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"]),
  MessageId: z.string(),
  TopicArn: z.string(),
  Message: z.string(),
  Timestamp: z.string(),
  Signature: z.string(),
  SignatureVersion: z.enum(["1", "2"]),
  SigningCertURL: z.string(),
  Subject: z.string().nullish(),
  SubscribeURL: z.string().optional(),
  Token: z.string().optional(),
});
type Message = z.output<typeof Message>;

/** What is signed, in this order, as name and value on lines of their own. */
const SIGNED = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
  UnsubscribeConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
} as const satisfies Record<Message["Type"], readonly (keyof Message)[]>;

/** Amazon tries for an hour by default; a copy of an older message is no news. */
const MAX_AGE_MS = 3_600_000;

/** Certificates that are kept; a region has one, and changes it every few months. */
const MAX_CERTIFICATES = 32;

/**
 * Checks messages with the certificate that they name, which is fetched from the SNS endpoint of the topic's own region
 * and nowhere else, and kept.
 */
export function createSnsCheck(fetch: FetchSmall): SnsCheck {
  const known = new Map<string, X509Certificate>();
  const certificateAt = async (url: string): Promise<X509Certificate> => {
    const kept = known.get(url);
    if (kept) return kept;
    const certificate = certificateOf(await fetch(url), url);
    if (known.size >= MAX_CERTIFICATES) known.clear();
    known.set(url, certificate);
    return certificate;
  };
  return async ({ topicArn }, body) => {
    const message = readMessage(body);
    if (!message || message.TopicArn !== topicArn || !isFresh(message)) return false;
    const url = certificateUrl(message.SigningCertURL, topicArn);
    if (url === undefined) return false;
    const { publicKey, validFrom, validTo } = await certificateAt(url);
    const now = Date.now();
    if (now < Date.parse(validFrom) || now > Date.parse(validTo)) return false;
    const algorithm = message.SignatureVersion === "1" ? "RSA-SHA1" : "RSA-SHA256";
    return createVerify(algorithm).update(signedText(message)).verify(publicKey, message.Signature, "base64");
  };
}

/** The address that confirms a subscription, made from the receiver's topic: the one in the message is not trusted. */
export function confirmationUrl(topicArn: string, token: string): string {
  const query = new URLSearchParams({ Action: "ConfirmSubscription", TopicArn: topicArn, Token: token });
  return `https://${endpointOf(topicArn)}/?${query}`;
}

/** `sns.<region>.amazonaws.com`, with `.cn` in China. */
function endpointOf(topicArn: string): string {
  const [, partition = "", , region = ""] = topicArn.split(":");
  return `sns.${region}.amazonaws.com${partition === "aws-cn" ? ".cn" : ""}`;
}

function certificateUrl(named: string, topicArn: string): string | undefined {
  const prefix = `https://${endpointOf(topicArn)}/`;
  const file = named.startsWith(prefix) ? named.slice(prefix.length) : "";
  return /^SimpleNotificationService-[0-9a-zA-Z]{1,64}\.pem$/.test(file) ? named : undefined;
}

function readMessage(body: Buffer): Message | undefined {
  try {
    return Message.safeParse(JSON.parse(body.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

function isFresh({ Timestamp }: Message): boolean {
  return Math.abs(Date.now() - Date.parse(Timestamp)) <= MAX_AGE_MS;
}

function signedText(message: Message): string {
  const names: readonly (keyof Message)[] = SIGNED[message.Type];
  return names.map((name) => (message[name] == null ? "" : `${name}\n${message[name]}\n`)).join("");
}

function certificateOf(bytes: Uint8Array, url: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(bytes));
  } catch (error) {
    throw new Failure("Unavailable", `${url} holds no certificate`, { cause: error });
  }
}
