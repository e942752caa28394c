import * as z from "zod";
import { sha256 } from "../digest.ts";
import { type Producer, payload } from "./delivery.ts";
import { packageOf } from "./references.ts";
import { signingKeysOf, tokenProof } from "./tokens.ts";

const Payload = z.object({
  object_kind: z.string(),
  action: z.string().optional(),
  project: z.object({ git_http_url: z.string() }),
  assets: z.object({ links: z.array(z.object({ name: z.string() })).default([]) }).optional(),
});

const KINDS = ["push", "tag_push", "release"];

/** GitLab: pushes, tags and releases; it tells nothing of its package registry. */
export const gitlab: Producer = {
  title: "GitLab",
  proves: "Standard Webhooks signature with signingKey where the Secret has one, else token in X-Gitlab-Token",
  register: "Settings → Webhooks: Secret token = token (or Signing token = signingKey), push, tag and release events",
  proof(delivery) {
    const { headers } = delivery;
    const keys = signingKeysOf(delivery);
    if (keys.length === 0) return tokenProof(delivery, "x-gitlab-token");
    return headers["webhook-signature"] === undefined ? undefined : { kind: "standard-webhooks", headers, keys };
  },
  read(delivery) {
    const { object_kind, action, project, assets } = payload(Payload, delivery);
    if (!KINDS.includes(object_kind)) return [{ ignored: "no push" }];
    const addresses = [project.git_http_url];
    const occurrence = sha256(delivery.body);
    const packages = assets?.links.flatMap(({ name }) => packageOf(name) ?? []) ?? [];
    if (packages.length === 0) return [{ action: "changed", certainty: "git", addresses, occurrence }];
    return packages.map((each) => ({
      action: action === "delete" ? "deleted" : "pushed",
      certainty: "chart",
      addresses,
      ...each,
      occurrence: `${occurrence} ${each.chart} ${each.version}`,
    }));
  },
};
