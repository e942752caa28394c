import { type Authorities, SNS_ENDPOINT } from "./authorities.ts";
import { ecrEvent } from "./registry-samples.ts";
import { DIGEST, hexHmac, jsonBody, partsOf, type Sample, TOKEN } from "./sample.ts";

const JSON_TYPE = { "content-type": "application/json" };
const CHART = { action: "pushed", certainty: "chart", chart: "web", version: "1.4.2" };
const HEX = DIGEST.slice("sha256:".length);

const STATIC = { key: "token", secret: TOKEN, signs: false, dated: false, identified: true } as const;
const SIGNED = { ...STATIC, signs: true } as const;

/** Repository managers, hubs and event senders. */
export const MANAGER_SAMPLES: readonly Sample[] = [
  {
    ...SIGNED,
    title: "Nexus",
    receiver: { type: "nexus" },
    url: "https://nexus.example.org/repository/helm-hosted/",
    place: "helm-hosted",
    elsewhere: "helm-other",
    expected: CHART,
    make: ({ place, version, secret, at }) => {
      const component = { id: "08909bf0", componentId: "aGVsbQ", format: "helm", name: "web", version };
      const told = { timestamp: at.toISOString(), nodeId: "52905B51", initiator: "ci/10.0.0.1", action: "CREATED" };
      const body = jsonBody({ ...told, repositoryName: place, component });
      const signature = hexHmac("sha1", secret, body);
      const headers = { "x-nexus-webhook-id": "rm:repository:component", "x-nexus-webhook-delivery": "1" };
      return { headers: { ...JSON_TYPE, ...headers, "x-nexus-webhook-signature": signature }, body };
    },
  },
  {
    ...STATIC,
    title: "Artifactory, OCI",
    identified: false,
    receiver: { type: "artifactory" },
    url: "oci://acme.jfrog.io/oci-local/apps",
    place: "acme.jfrog.io/oci-local",
    elsewhere: "other.jfrog.io/oci-local",
    expected: { ...CHART, certainty: "maybe", digest: DIGEST },
    make: ({ place, version, secret }) => {
      const { host, path } = partsOf(place);
      const data = { repo_key: path, path: `apps/web/${version}/manifest.json`, name: "manifest.json", sha256: HEX };
      const image = { image_name: "web", image_type: "oci", tag: version };
      const jpd_origin = `https://${host}/artifactory`;
      return {
        headers: { ...JSON_TYPE, "x-jfrog-event-auth": secret },
        body: jsonBody({ domain: "docker", event_type: "pushed", data: { ...data, ...image }, jpd_origin }),
      };
    },
  },
  {
    ...SIGNED,
    title: "Artifactory, Helm, signed",
    key: "signingKey",
    identified: false,
    receiver: { type: "artifactory" },
    url: "https://acme.jfrog.io/artifactory/api/helm/helm-local",
    place: "acme.jfrog.io/helm-local",
    elsewhere: "acme.jfrog.io/helm-other",
    expected: { ...CHART, digest: DIGEST },
    make: ({ place, version, secret }) => {
      const { host, path } = partsOf(place);
      const data = { repo_key: path, path: `web-${version}.tgz`, name: `web-${version}.tgz`, sha256: HEX, size: 4096 };
      const jpd_origin = `https://${host}`;
      const body = jsonBody({ domain: "artifact", event_type: "deployed", data, jpd_origin });
      return { headers: { ...JSON_TYPE, "x-jfrog-event-auth": hexHmac("sha256", secret, body) }, body };
    },
  },
  {
    ...STATIC,
    title: "Artifact Hub",
    receiver: { type: "artifacthub" },
    url: "https://charts.example.org",
    place: "",
    elsewhere: "",
    expected: CHART,
    make: ({ version, secret }) => ({
      headers: { "content-type": "application/cloudevents+json", "x-artifacthub-secret": secret },
      body: jsonBody({
        specversion: "1.0",
        id: "8c6c4b5e-2cf4-4e1a-9a0d-4f6e8f1f8f0a",
        source: "https://artifacthub.example.org",
        type: "io.artifacthub.package.new-release",
        datacontenttype: "application/json",
        data: {
          package: {
            name: "web",
            version,
            url: "http://127.0.0.1:9/packages/helm/acme/web",
            changes: [],
            repository: { kind: "helm", name: "acme", publisher: "acme" },
          },
        },
      }),
    }),
  },
  {
    ...STATIC,
    title: "CDEvents, binary",
    receiver: { type: "cdevents" },
    url: "oci://registry.example.org/apps",
    place: "registry.example.org/apps",
    elsewhere: "registry.example.org/other",
    expected: { ...CHART, certainty: "maybe", digest: DIGEST },
    make: ({ place, version, secret }) => {
      const id = `pkg:oci/web@${encodeURIComponent(DIGEST)}?repository_url=${encodeURIComponent(place)}&tag=${version}`;
      const ce = { "ce-specversion": "1.0", "ce-id": "271069a8", "ce-source": "/event/source/123" };
      return {
        headers: {
          ...JSON_TYPE,
          ...ce,
          "ce-type": "dev.cdevents.artifact.published.0.3.0",
          authorization: `Bearer ${secret}`,
        },
        body: jsonBody({ context: { specversion: "0.5.1", id: "271069a8" }, subject: { id, content: {} } }),
      };
    },
  },
  {
    ...STATIC,
    title: "CloudEvents, batch",
    receiver: { type: "cloudevents" },
    url: "https://charts.example.org/stable",
    place: "charts.example.org/stable",
    elsewhere: "charts.example.org/beta",
    expected: CHART,
    make: ({ place, version, secret }) => {
      const data = { chart: "web", version, repository: place };
      const event = { specversion: "1.0", id: "1", source: "/ci/jobs/9", type: "org.example.chart.uploaded", data };
      return {
        headers: { "content-type": "application/cloudevents-batch+json", authorization: `Bearer ${secret}` },
        body: jsonBody([event]),
      };
    },
  },
];

const TOPIC = "arn:aws:sns:eu-west-1:123456789012:pushes";
const AUDIENCE = "https://store.example.org/hooks/charts/hook";
const EMAIL = "push@acme.iam.gserviceaccount.com";

/** Senders that an authority vouches for; their secret is the account or topic that they are. */
export function vouchedSamples(authorities: Authorities): readonly Sample[] {
  const vouched = { key: "", signs: true, dated: true, identified: true } as const;
  const sns = (version: "1" | "2"): Sample => ({
    ...vouched,
    title: `Amazon ECR through SNS, signature ${version}`,
    receiver: { type: "sns", topicArn: TOPIC },
    secret: TOPIC,
    url: "oci://123456789012.dkr.ecr.eu-west-1.amazonaws.com/charts",
    place: "123456789012.dkr.ecr.eu-west-1.amazonaws.com/charts/web",
    elsewhere: "123456789012.dkr.ecr.eu-west-1.amazonaws.com/other/web",
    expected: { ...CHART, digest: DIGEST },
    make: ({ place, version: tag, secret, at }) =>
      snsMessage(
        { Type: "Notification", TopicArn: secret, Message: JSON.stringify(ecrEvent(place, tag)), at },
        version,
        authorities,
      ),
  });
  return [
    sns("1"),
    sns("2"),
    {
      ...vouched,
      title: "Google Artifact Registry",
      // The token is about the sender and its time, not about the body.
      signs: false,
      receiver: { type: "artifact-registry", oidc: { audience: AUDIENCE, email: EMAIL, keysUrl: authorities.keysUrl } },
      secret: EMAIL,
      url: "oci://europe-docker.pkg.dev/acme/charts",
      place: "europe-docker.pkg.dev/acme/charts/web",
      elsewhere: "europe-docker.pkg.dev/evil/charts/web",
      expected: { ...CHART, certainty: "maybe", digest: DIGEST },
      make: ({ place, version, secret, at }) => {
        const iat = Math.floor(at.getTime() / 1000);
        const claims = {
          iss: "https://accounts.google.com",
          aud: AUDIENCE,
          sub: "1",
          email: secret,
          email_verified: true,
        };
        const token = authorities.token({ ...claims, iat, exp: iat + 3600 });
        const change = { action: "INSERT", digest: `${place}@${DIGEST}`, tag: `${place}:${version}` };
        const data = Buffer.from(JSON.stringify(change)).toString("base64");
        const message = { data, messageId: "136969346945", publishTime: at.toISOString() };
        return {
          headers: { ...JSON_TYPE, authorization: `Bearer ${token}` },
          body: jsonBody({ message, subscription: "projects/acme/subscriptions/store" }),
        };
      },
    },
  ];
}

/** What differs between messages of a topic. */
interface SnsContent {
  readonly Type: string;
  readonly TopicArn: string;
  readonly Message: string;
  readonly Token?: string;
  readonly SubscribeURL?: string;
  readonly at: Date;
}

/** A message of a topic, signed by Amazon. */
export function snsMessage({ at, ...content }: SnsContent, version: "1" | "2", { signSns }: Authorities) {
  const message = { ...content, MessageId: "165545c9-2a5c-472c-8df2-7ff2be2b3b1b", Timestamp: at.toISOString() };
  const signed = Object.entries(message).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = signed.map(([name, value]) => `${name}\n${value}\n`).join("");
  const SigningCertURL = `${SNS_ENDPOINT}SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem`;
  const signature = { Signature: signSns(text, version), SignatureVersion: version, SigningCertURL };
  const headers = { "content-type": "text/plain; charset=UTF-8", "x-amz-sns-message-type": content.Type };
  return { headers, body: jsonBody({ ...message, ...signature }) };
}
