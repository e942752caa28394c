import * as z from "zod";
import type { Rule } from "../resource.ts";

/** Who may tell that something was pushed; each has its own payload and its own way to prove itself. */
export const PRODUCER_TYPES = [
  "harbor",
  "github",
  "gitlab",
  "gitea",
  "distribution",
  "quay",
  "dockerhub",
  "acr",
  "ecr",
  "sns",
  "artifact-registry",
  "artifacthub",
  "nexus",
  "artifactory",
  "cdevents",
  "cloudevents",
] as const;

const SecretRef = z.object({
  name: z.string().min(1).max(253).describe("Name of the Secret, in the store's own namespace."),
});

const Oidc = z.object({
  audience: z.string().min(1).max(2048).describe("Audience that the token must be made for."),
  email: z.string().min(3).max(320).describe("Service account that the token must belong to."),
  issuer: z.string().max(2048).optional().describe("Who made the token; default: https://accounts.google.com."),
  keysUrl: z
    .string()
    .max(2048)
    .regex(/^https?:\/\//)
    .optional()
    .describe("Address of the issuer's public keys (JWKS); default: https://www.googleapis.com/oauth2/v3/certs."),
});

/** One producer of webhooks that may ask for syncs of a repository. */
export const Receiver = z.object({
  name: z
    .string()
    .min(1)
    .max(63)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
    .describe("Name of the receiver; its address is /hooks/<HelmRepo>/<name> of webhook-intake."),
  type: z.enum(PRODUCER_TYPES).describe("Who sends: decides how payloads are read and proven."),
  secretRef: SecretRef.optional().describe(
    "Secret with token; previousToken holds as well while token is changed; signingKey makes gitlab and artifactory sign.",
  ),
  header: z
    .string()
    .max(128)
    .regex(/^[A-Za-z0-9-]+$/)
    .optional()
    .describe("Header that carries the token, for producers that let you choose; default: Authorization."),
  aliases: z
    .array(z.string().min(1).max(1024))
    .max(16)
    .optional()
    .describe("Further addresses (host/path) by which payloads name the repository, a Git repository for one."),
  oidc: Oidc.optional().describe("What the token of an artifact-registry push subscription must say."),
  topicArn: z
    .string()
    .max(512)
    .regex(/^arn:aws(-[a-z]+)*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_.-]+$/)
    .optional()
    .describe("Topic that an sns receiver takes messages of; its subscription is confirmed by itself."),
});
export type Receiver = z.output<typeof Receiver>;

/** What a receiver needs so that anybody can prove himself to it. */
export const RECEIVER_RULES: readonly Rule[] = [
  {
    at: "spec",
    rule: "!has(self.receivers) || self.receivers.all(r, r.type != 'sns' || has(r.topicArn))",
    message: "a receiver of type sns needs topicArn: the topic whose messages it takes",
  },
  {
    at: "spec",
    rule: "!has(self.receivers) || self.receivers.all(r, r.type != 'artifact-registry' || has(r.oidc))",
    message: "a receiver of type artifact-registry needs oidc: the account and audience of the push subscription",
  },
  {
    at: "spec",
    rule: "!has(self.receivers) || self.receivers.all(r, r.type in ['sns', 'artifact-registry'] || has(r.secretRef))",
    message: "this type of receiver needs secretRef: a Secret of the store's namespace with the key token",
  },
];

/** The producers that may ask for syncs of a repository, each by its name. */
export const Receivers = z
  .array(Receiver)
  .max(16)
  .optional()
  .describe("Who may tell by webhook that something was pushed, so that it is read at once.")
  .meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] });
