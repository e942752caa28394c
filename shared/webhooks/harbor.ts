import * as z from "zod";
import { jsonOf, type Producer, payload, type Told } from "./delivery.ts";
import { referenceOf } from "./references.ts";
import { tokenProof } from "./tokens.ts";

const EventData = z.object({
  resources: z.array(z.object({ digest: z.string().optional(), tag: z.string().optional(), resource_url: z.string() })),
  repository: z.object({ repo_full_name: z.string() }),
});

const Plain = z.object({ type: z.string(), occur_at: z.number().optional(), event_data: z.unknown() });
const CloudEvent = z.object({
  specversion: z.string(),
  type: z.string(),
  time: z.string().optional(),
  data: z.unknown(),
});

const ACTIONS: Readonly<Record<string, "pushed" | "deleted">> = {
  PUSH_ARTIFACT: "pushed",
  DELETE_ARTIFACT: "deleted",
  "harbor.artifact.pushed": "pushed",
  "harbor.artifact.deleted": "deleted",
};

/** Harbor, both payload formats. It never signs; it names no media type, so that any artifact may be a chart. */
export const harbor: Producer = {
  title: "Harbor",
  proves: "token in the header Authorization",
  register: "Project → Webhooks: endpoint URL, Auth Header = token, events artifact pushed and deleted, either format",
  proof: (delivery) => tokenProof(delivery),
  read(delivery) {
    const { type, at, data } = envelope(delivery);
    const action = ACTIONS[type];
    if (!action) return [{ ignored: "no push" }];
    const { resources, repository } = payload(EventData, delivery, data);
    return resources.map(({ tag = "", digest, resource_url }): Told => {
      // A push without a tag has its digest there.
      if (tag === "" || tag.startsWith("sha256:")) return { ignored: "no tag" };
      const { address } = referenceOf(resource_url);
      // Two policies that watch one project tell of one push with two ids, so the push itself is the identity.
      const occurrence = [action, repository.repo_full_name, tag, digest, at].join(" ");
      return {
        action,
        certainty: "maybe",
        addresses: [address],
        version: tag,
        digest,
        occurrence,
      };
    });
  },
};

function envelope(delivery: Parameters<Producer["read"]>[0]) {
  const json = jsonOf(delivery);
  const event = CloudEvent.safeParse(json);
  if (event.success) {
    const { type, time, data } = event.data;
    return { type, at: time === undefined ? "" : String(Math.floor(Date.parse(time) / 1000)), data };
  }
  const { type, occur_at = "", event_data } = payload(Plain, delivery, json);
  return { type, at: String(occur_at), data: event_data };
}
