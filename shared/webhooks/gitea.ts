import * as z from "zod";
import { sha256 } from "../digest.ts";
import { type Delivery, type Producer, payload, type Told } from "./delivery.ts";
import { signatureProof, tokensOf } from "./tokens.ts";

const PackageEvent = z.object({
  action: z.string(),
  package: z.object({
    type: z.string(),
    name: z.string(),
    version: z.string(),
    html_url: z.string().optional(),
    owner: z.object({ login: z.string() }),
  }),
});

const PushEvent = z.object({ repository: z.object({ clone_url: z.string() }) });

/** Gitea and Forgejo: packages of types helm and container, and pushes. */
export const gitea: Producer = {
  title: "Gitea, Forgejo",
  proves: "HMAC-SHA256 of the body with token (X-Gitea-Signature or X-Forgejo-Signature)",
  register: "Settings → Webhooks → Gitea: content type application/json, Secret = token, events Package and Push",
  proof(delivery) {
    const { headers } = delivery;
    const signature = headers["x-gitea-signature"] ?? headers["x-forgejo-signature"];
    return signatureProof("hmac-sha256", signature, tokensOf(delivery));
  },
  read(delivery) {
    const { headers } = delivery;
    switch (headers["x-gitea-event"] ?? headers["x-forgejo-event"]) {
      case "package":
        return packageChanged(delivery);
      case "push": {
        const { repository } = payload(PushEvent, delivery);
        const occurrence = sha256(delivery.body);
        return [{ action: "changed", certainty: "git", addresses: [repository.clone_url], occurrence }];
      }
      default:
        return [{ ignored: "no push" }];
    }
  },
};

/** The payload names the owner, and by a link of its own the host; the registries are at fixed paths of it. */
function packageChanged(delivery: Delivery): readonly Told[] {
  const { action, package: changed } = payload(PackageEvent, delivery);
  const { type, name, version, owner, html_url } = changed;
  if (type !== "helm" && type !== "container") return [{ ignored: "no chart" }];
  const host = html_url === undefined ? undefined : URL.parse(html_url)?.host;
  const path = type === "helm" ? `api/packages/${owner.login}/helm` : `${owner.login}/${name}`;
  return [
    {
      action: action === "deleted" ? "deleted" : "pushed",
      certainty: type === "helm" ? "chart" : "maybe",
      ...(host === undefined ? {} : { addresses: [`${host}/${path}`] }),
      chart: name,
      version,
      occurrence: sha256(delivery.body),
    },
  ];
}
