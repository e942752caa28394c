import * as z from "zod";
import { sha256 } from "../digest.ts";
import { type Producer, payload, type Told } from "./delivery.ts";
import { packageOf } from "./references.ts";
import { signatureProof, signingKeysOf, tokenProof, tokensOf } from "./tokens.ts";

const NexusPayload = z.object({
  repositoryName: z.string(),
  action: z.string(),
  component: z.object({ format: z.string(), name: z.string(), version: z.string().nullish() }).optional(),
});

/** Nexus names its repository and no host: the receiver's address has it in its path. */
export const nexus: Producer = {
  title: "Sonatype Nexus 3",
  proves: "HMAC-SHA1 of the body with token (X-Nexus-Webhook-Signature)",
  register: "Capability Webhook: Repository, event type component, Secret Key = token",
  proof: (delivery) => signatureProof("hmac-sha1", delivery.headers["x-nexus-webhook-signature"], tokensOf(delivery)),
  read(delivery) {
    const { repositoryName, action, component } = payload(NexusPayload, delivery);
    if (!component || !["CREATED", "UPDATED", "DELETED"].includes(action)) return [{ ignored: "no push" }];
    if (component.format !== "helm" && component.format !== "docker") return [{ ignored: "no chart" }];
    return [
      {
        action: action === "DELETED" ? "deleted" : "pushed",
        certainty: component.format === "helm" ? "chart" : "maybe",
        repositoryName,
        chart: component.name,
        ...(component.version ? { version: component.version } : {}),
        occurrence: sha256(delivery.body),
      },
    ];
  },
};

const ArtifactoryPayload = z.object({
  domain: z.string(),
  event_type: z.string(),
  data: z.object({
    repo_key: z.string(),
    path: z.string(),
    name: z.string(),
    image_type: z.string().optional(),
    tag: z.string().optional(),
    sha256: z.string().optional(),
  }),
  jpd_origin: z.string().optional(),
});
type ArtifactoryPayload = z.output<typeof ArtifactoryPayload>;

const EVENTS: Readonly<Record<string, "pushed" | "deleted">> = {
  "docker pushed": "pushed",
  "docker deleted": "deleted",
  "artifact deployed": "pushed",
  "artifact deleted": "deleted",
};

/** Artifactory: OCI repositories (domain docker) and Helm repositories (domain artifact). Its payloads have no time. */
export const artifactory: Producer = {
  title: "JFrog Artifactory",
  proves: "token in X-JFrog-Event-Auth, or HMAC-SHA256 there with signingKey where the Secret has one",
  register: "Administration → Webhooks: Secret token = token, or signingKey with 'use secret for payload signing'",
  proof(delivery) {
    const keys = signingKeysOf(delivery);
    if (keys.length === 0) return tokenProof(delivery, "x-jfrog-event-auth");
    return signatureProof("hmac-sha256", delivery.headers["x-jfrog-event-auth"], keys);
  },
  read(delivery) {
    const event = payload(ArtifactoryPayload, delivery);
    const action = EVENTS[`${event.domain} ${event.event_type}`];
    if (!action) return [{ ignored: "no push" }];
    return [event.domain === "docker" ? image(event, action) : file(event, action)];
  },
};

/** `path` ends in `<tag>/manifest.json`; clients reach a repository by path or by a subdomain of its own. */
function image({ data, jpd_origin }: ArtifactoryPayload, action: "pushed" | "deleted"): Told {
  const { repo_key, path, tag = "", sha256: hex, image_type } = data;
  if (tag === "") return { ignored: "no tag" };
  if (image_type === "docker") return { ignored: "no chart" };
  const name = path.split("/").slice(0, -2).join("/");
  const host = jpd_origin === undefined ? undefined : URL.parse(jpd_origin)?.host;
  const hosts =
    host === undefined ? [] : [`${host}/${repo_key}`, `${repo_key}.${host}`, host.replace(".", `-${repo_key}.`)];
  return {
    action,
    certainty: "maybe",
    ...(hosts.length === 0 ? { chart: name } : { addresses: hosts.map((each) => `${each}/${name}`) }),
    version: tag,
    ...(hex === undefined ? {} : { digest: `sha256:${hex}` }),
  };
}

/** Below the origin of a platform, a Helm repository is found in either of these; behind a proxy of its own also without. */
const FOLDERS = ["/artifactory", "/artifactory/api/helm", ""];

function file({ data, jpd_origin }: ArtifactoryPayload, action: "pushed" | "deleted"): Told {
  const found = packageOf(data.name);
  if (!found) return { ignored: "no chart" };
  const { repo_key, sha256: hex } = data;
  const origin = jpd_origin?.replace(/\/artifactory\/?$|\/$/, "");
  const addresses = FOLDERS.map((folder) => `${origin}${folder}/${repo_key}`);
  return {
    action,
    certainty: "chart",
    ...(jpd_origin === undefined ? {} : { addresses }),
    ...found,
    ...(hex === undefined ? {} : { digest: `sha256:${hex}` }),
  };
}
