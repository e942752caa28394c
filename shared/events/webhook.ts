import * as z from "zod";
import { defineEvent } from "../event.ts";
import { PRODUCER_TYPES } from "../resources/receiver.ts";

/** Name of a chart, with the folders above it that a registry may have. */
const ChartPath = z
  .string()
  .max(512)
  .regex(/^[A-Za-z0-9_][\w.+-]*(\/[A-Za-z0-9_][\w.+-]*)*$/);

/** A producer that proved itself told of something in a repository that is configured. */
export const WebhookReceived = defineEvent({
  type: "webhook.received",
  summary: "A producer of webhooks told, with proof, that something happened in a configured repository.",
  data: z.object({
    repo: z.string().min(1).max(253).describe("HelmRepo that it happened in."),
    receiver: z.string().min(1).max(63).describe("Receiver of that HelmRepo."),
    producer: z.enum(PRODUCER_TYPES).describe("Type of the receiver."),
    action: z.enum(["pushed", "deleted", "changed"]).describe("changed: the payload does not tell what."),
    certainty: z
      .enum(["chart", "maybe", "git"])
      .describe("chart: said to be one; maybe: the payload does not say; git: sources that a chart may come from."),
    address: z.string().max(1024).optional().describe("Place that the payload named, host/path."),
    chart: ChartPath.optional().describe("Chart, where the payload names one."),
    version: z.string().min(1).max(256).optional().describe("Version, where the payload names one."),
    digest: z.string().max(256).optional().describe("Digest, where the payload names one."),
    verifiedBy: z.string().max(32).describe("What the producer proved itself with."),
  }),
  example: {
    repo: "repo-300m50zn91nwz5",
    receiver: "harbor",
    producer: "harbor",
    action: "pushed",
    certainty: "maybe",
    address: "harbor.example.org/apps/web",
    chart: "web",
    version: "1.4.2",
    digest: `sha256:${"ab".repeat(32)}`,
    verifiedBy: "token",
  },
});
