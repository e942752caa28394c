import * as z from "zod";
import { Failure } from "../errors.ts";
import { type Producer, payload } from "./delivery.ts";
import { referenceOf } from "./references.ts";

const Push = z.object({ message: z.object({ data: z.string(), messageId: z.string() }) });

const Change = z.object({ action: z.string(), digest: z.string().optional(), tag: z.string().optional() });

const ACTIONS: Readonly<Record<string, "pushed" | "deleted">> = { INSERT: "pushed", DELETE: "deleted" };

const ISSUER = "https://accounts.google.com";
const KEYS_URL = "https://www.googleapis.com/oauth2/v3/certs";

/** Google's registry through a Pub/Sub push subscription, which brings a token of its service account. */
export const artifactRegistry: Producer = {
  title: "Google Artifact Registry",
  proves: "OIDC token of `oidc.email` for `oidc.audience`",
  register: "Pub/Sub topic gcr, push subscription with authentication: service account and audience as in `oidc`",
  proof({ headers, receiver: { oidc } }) {
    const [, token] = /^bearer +(\S+)$/i.exec(headers["authorization"] ?? "") ?? [];
    if (token === undefined || oidc === undefined) return undefined;
    const { audience, email, issuer = ISSUER, keysUrl = KEYS_URL } = oidc;
    return { kind: "oidc", token, demands: { audience, email, issuer, keysUrl } };
  },
  read(delivery) {
    const { message } = payload(Push, delivery);
    const { action, digest, tag } = payload(Change, delivery, decoded(message.data));
    const meaning = ACTIONS[action];
    if (!meaning) return [{ ignored: "no push" }];
    if (tag === undefined) return [{ ignored: "no tag" }];
    const reference = referenceOf(tag);
    const hex = digest === undefined ? undefined : referenceOf(digest).digest;
    return [
      {
        action: meaning,
        certainty: "maybe",
        addresses: [reference.address],
        ...(reference.tag === undefined ? {} : { version: reference.tag }),
        digest: hex,
        occurrence: message.messageId,
      },
    ];
  },
};

function decoded(data: string): unknown {
  try {
    return JSON.parse(Buffer.from(data, "base64").toString("utf8"));
  } catch {
    throw new Failure(
      "Invalid",
      "message.data holds no JSON in base64; let Pub/Sub send the message as it is, wrapped",
    );
  }
}
