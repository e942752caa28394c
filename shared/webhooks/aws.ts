import * as z from "zod";
import { Failure } from "../errors.ts";
import { type Delivery, jsonOf, type Producer, payload, type Told } from "./delivery.ts";
import { tokenProof } from "./tokens.ts";

const EcrEvent = z.object({
  id: z.string(),
  "detail-type": z.string(),
  source: z.string(),
  account: z.string(),
  region: z.string(),
  detail: z.object({
    result: z.string().optional(),
    "action-type": z.string(),
    "repository-name": z.string(),
    "image-tag": z.string().optional(),
    "image-digest": z.string().optional(),
    "artifact-media-type": z.string().optional(),
  }),
});

/** ECR's events as EventBridge hands them to an API destination. */
export const ecr: Producer = {
  title: "Amazon ECR through EventBridge",
  proves: "token in the header of the API destination's connection: Authorization (or `header`)",
  register: "EventBridge rule on source aws.ecr, target API destination with a connection of type API key or basic",
  proof: (delivery) => tokenProof(delivery),
  read: (delivery) => [readEvent(delivery, jsonOf(delivery))],
};

const Message = z.object({
  Type: z.string(),
  TopicArn: z.string(),
  Token: z.string().optional(),
  Message: z.string(),
});

/** The same events through an SNS topic: signed by Amazon, and its topic has to be the receiver's. */
export const sns: Producer = {
  title: "Amazon ECR through EventBridge and SNS",
  proves: "Amazon's signature (version 1 or 2) in a message of `topicArn`",
  register: "EventBridge rule on source aws.ecr, target SNS topic; its HTTPS subscription is confirmed by itself",
  proof: ({ receiver: { topicArn } }) => (topicArn === undefined ? undefined : { kind: "sns", topicArn }),
  read(delivery) {
    const { Type, Message: text } = payload(Message, delivery);
    return Type === "Notification" ? [readEvent(delivery, parsed(text))] : [{ ignored: "no push" }];
  },
  confirmation(delivery) {
    const { Type, Token } = payload(Message, delivery);
    return Type === "SubscriptionConfirmation" ? Token : undefined;
  },
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("Invalid", "the SNS message holds no JSON; let EventBridge send its event as it is");
  }
}

const ACTIONS: Readonly<Record<string, "pushed" | "deleted">> = { PUSH: "pushed", DELETE: "deleted" };

function readEvent(delivery: Delivery, json: unknown): Told {
  const { id, source, account, region, detail, ...event } = payload(EcrEvent, delivery, json);
  const action = ACTIONS[detail["action-type"]];
  const ofEcr = source === "aws.ecr" && event["detail-type"] === "ECR Image Action";
  if (!ofEcr || !action || (detail.result ?? "SUCCESS") !== "SUCCESS") return { ignored: "no push" };
  const { "image-tag": tag = "", "image-digest": digest, "artifact-media-type": mediaType } = detail;
  if (tag === "") return { ignored: "no tag" };
  const host = `${account}.dkr.ecr.${region}.amazonaws.com`;
  return {
    action,
    certainty: mediaType === undefined ? "maybe" : "chart",
    addresses: [host, `${host}.cn`].map((each) => `${each}/${detail["repository-name"]}`),
    version: tag,
    digest,
    mediaType,
    occurrence: id,
  };
}
