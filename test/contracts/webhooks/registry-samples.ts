import { createHash } from "node:crypto";
import { DIGEST, jsonBody, partsOf, type Sample, TOKEN } from "./sample.ts";

const CONFIG = "application/vnd.cncf.helm.config.v1+json";
const JSON_TYPE = { "content-type": "application/json" };

const IMAGE = { action: "pushed", certainty: "maybe", chart: "web", version: "1.4.2", digest: DIGEST };

/** What samples that send a static token have in common. */
const STATIC = { key: "token", secret: TOKEN, signs: false, dated: false, identified: true } as const;

/** Registries that carry a token in a header or in the address. */
export const REGISTRY_SAMPLES: readonly Sample[] = [
  {
    ...STATIC,
    title: "Harbor, default format",
    receiver: { type: "harbor" },
    url: "oci://harbor.example.org/apps",
    place: "harbor.example.org/apps/web",
    elsewhere: "harbor.example.com/apps/web",
    expected: IMAGE,
    make: ({ place, version, secret, at }) => ({
      headers: { ...JSON_TYPE, authorization: secret },
      body: jsonBody({
        type: "PUSH_ARTIFACT",
        occur_at: Math.floor(at.getTime() / 1000),
        operator: "robot$ci",
        event_data: harborData(place, version),
      }),
    }),
  },
  {
    ...STATIC,
    title: "Harbor, CloudEvents format",
    receiver: { type: "harbor" },
    url: "oci://harbor.example.org/apps",
    place: "harbor.example.org/apps/web",
    elsewhere: "harbor.example.org/other/web",
    expected: IMAGE,
    make: ({ place, version, secret, at }) => ({
      headers: { "content-type": "application/cloudevents+json", authorization: `Bearer ${secret}` },
      body: jsonBody({
        specversion: "1.0",
        id: "66b9b7bb-57ad-4d56-8ea2-6e1e2c4b8ce2",
        requestid: "d2f1a5b4-1a0c-4f54-9c5a-a2b6d3b0f5c1",
        source: "/projects/7/webhook/policies/3",
        type: "harbor.artifact.pushed",
        datacontenttype: "application/json",
        time: at.toISOString(),
        operator: "robot$ci",
        data: harborData(place, version),
      }),
    }),
  },
  {
    ...STATIC,
    title: "Distribution registry",
    receiver: { type: "distribution", header: "X-Registry-Token" },
    url: "oci://registry.example.org:5000/apps",
    place: "registry.example.org:5000/apps/web",
    elsewhere: "registry.example.org/apps/web",
    expected: { ...IMAGE, certainty: "chart" },
    make: ({ place, version, secret }) => ({
      headers: { "content-type": "application/vnd.docker.distribution.events.v2+json", "x-registry-token": secret },
      body: jsonBody({ events: [blobEvent(place), manifestEvent(place, version)] }),
    }),
  },
  {
    ...STATIC,
    title: "Azure Container Registry",
    receiver: { type: "acr" },
    url: "oci://acme.azurecr.io",
    place: "acme.azurecr.io/web",
    elsewhere: "other.azurecr.io/web",
    expected: IMAGE,
    make: ({ place, version, secret }) => {
      const { host, path } = partsOf(place);
      const target = {
        mediaType: "application/vnd.oci.image.manifest.v1+json",
        digest: DIGEST,
        repository: path,
        tag: version,
      };
      const event = { id: "b1ee5a4d", timestamp: "2026-05-04T12:00:00Z", action: "push", target };
      const basic = Buffer.from(`store:${secret}`).toString("base64");
      return {
        headers: { ...JSON_TYPE, "user-agent": "AzureContainerRegistry/1.0", authorization: `Basic ${basic}` },
        body: jsonBody({ ...event, request: { id: "r", host, method: "PUT", useragent: "Helm/4.1.4" } }),
      };
    },
  },
  {
    ...STATIC,
    title: "Amazon ECR through EventBridge",
    receiver: { type: "ecr" },
    url: "oci://123456789012.dkr.ecr.eu-west-1.amazonaws.com/charts",
    place: "123456789012.dkr.ecr.eu-west-1.amazonaws.com/charts/web",
    elsewhere: "999999999999.dkr.ecr.eu-west-1.amazonaws.com/charts/web",
    expected: { ...IMAGE, certainty: "chart" },
    make: ({ place, version, secret }) => ({
      headers: { ...JSON_TYPE, authorization: `Bearer ${secret}` },
      body: jsonBody(ecrEvent(place, version)),
    }),
  },
  {
    ...STATIC,
    title: "Quay",
    identified: false,
    receiver: { type: "quay" },
    url: "oci://quay.io/acme",
    place: "quay.io/acme/web",
    elsewhere: "quay.io/evil/web",
    expected: { action: "pushed", certainty: "maybe", chart: "web", version: "1.4.2" },
    make: ({ place, version, secret }) => ({
      headers: JSON_TYPE,
      query: inAddress(secret),
      body: jsonBody({
        name: "web",
        repository: partsOf(place).path,
        namespace: "acme",
        docker_url: place,
        homepage: `https://${place}`,
        updated_tags: [version, "latest"],
      }),
    }),
  },
  {
    ...STATIC,
    title: "Docker Hub",
    receiver: { type: "dockerhub" },
    url: "oci://registry-1.docker.io/acme",
    place: "acme/web",
    elsewhere: "evil/web",
    expected: { action: "pushed", certainty: "maybe", chart: "web", version: "1.4.2" },
    make: ({ place, version, secret, at }) => ({
      headers: JSON_TYPE,
      query: inAddress(secret),
      body: jsonBody({
        callback_url: "http://169.254.169.254/latest/meta-data",
        push_data: { pusher: "ci", pushed_at: Math.floor(at.getTime() / 1000), tag: version, media_type: CONFIG },
        repository: { repo_name: place, repo_url: `https://hub.docker.com/r/${place}` },
      }),
    }),
  },
];

/** ECR's event as EventBridge wraps it. */
export function ecrEvent(place: string, version: string) {
  const { host, path } = partsOf(place);
  const [account = "", , , region = ""] = host.split(".");
  return {
    version: "0",
    id: "13cde686-328b-6117-af20-0e5566167482",
    "detail-type": "ECR Image Action",
    source: "aws.ecr",
    account,
    time: "2026-05-04T12:00:00Z",
    region,
    resources: [],
    detail: {
      result: "SUCCESS",
      "action-type": "PUSH",
      "repository-name": path,
      "image-digest": DIGEST,
      "image-tag": version,
      "manifest-media-type": "application/vnd.oci.image.manifest.v1+json",
      "artifact-media-type": CONFIG,
    },
  };
}

function harborData(place: string, version: string) {
  const { path } = partsOf(place);
  const [namespace = "", name = ""] = path.split("/");
  return {
    resources: [{ digest: DIGEST, tag: version, resource_url: `${place}:${version}` }],
    repository: { date_created: 1_777_896_000, name, namespace, repo_full_name: path, repo_type: "private" },
  };
}

function manifestEvent(place: string, tag: string) {
  const { host, path } = partsOf(place);
  return {
    id: "320678d8-ca14-430f-8bb6-4ca139cd83f7",
    timestamp: "2026-05-04T12:00:00Z",
    action: "push",
    target: {
      mediaType: "application/vnd.oci.image.manifest.v1+json",
      digest: DIGEST,
      size: 512,
      repository: path,
      url: `http://${place}/manifests/${DIGEST}`,
      tag,
      references: [{ mediaType: CONFIG }, { mediaType: "application/vnd.cncf.helm.chart.content.v1.tar+gzip" }],
    },
    request: { id: "6df24a34", addr: "10.0.0.9", host, method: "PUT", useragent: "Helm/4.1.4" },
    actor: { name: "ci" },
    source: { addr: "registry-0:5000" },
  };
}

function blobEvent(place: string) {
  const { host, path } = partsOf(place);
  const target = { mediaType: "application/octet-stream", digest: DIGEST, size: 9, repository: path };
  return { id: "9d0f6a0e", timestamp: "2026-05-04T12:00:00Z", action: "push", target, request: { host } };
}

/** The end of the address by which producers without any proof are told: the receiver of every sample is charts/hook. */
function inAddress(secret: string): string {
  return `?token=${createHash("sha256").update(`charts/hook/${secret}`).digest("hex")}`;
}
