import { expect, test } from "vitest";
import { given } from "../../test/support/objects.ts";
import { HelmRepo } from "../resources/helm-repo.ts";
import type { Receiver } from "../resources/receiver.ts";
import { PRODUCERS } from "./producers.ts";
import { sortHints } from "./sort-hints.ts";

interface Payload {
  readonly type: Receiver["type"];
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What an ordinary repository makes of a payload: what is announced, or why nothing is. */
function outcomeOf({ type, url = "oci://reg.example/apps", headers = {}, body }: Payload) {
  const receiver = { name: "hook", type };
  const repo = given(HelmRepo, "charts", { spec: { name: "charts", url, receivers: [receiver] } });
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const delivery = { headers, body: bytes, repo: "charts", receiver, secrets: {}, addressToken: "" };
  const { received, ignored } = sortHints(PRODUCERS[type].read(delivery), { repo, receiver, verifiedBy: "token" });
  const announced = received.map(({ data: { action, certainty, chart, version } }) =>
    [action, certainty, chart, version].filter(Boolean).join(" "),
  );
  return [...announced, ...Object.keys(ignored)];
}

const harbor = (type: string, tag: string | undefined) => ({
  type,
  occur_at: 1,
  event_data: {
    resources: [
      { digest: "sha256:ab", ...(tag === undefined ? {} : { tag }), resource_url: `reg.example/apps/web:${tag}` },
    ],
    repository: { repo_full_name: "apps/web" },
  },
});

const registry = (action: string, target: object) => ({
  events: [{ id: "1", action, target: { repository: "apps/web", ...target }, request: { host: "reg.example" } }],
});

const github = (config: string | undefined, url: string, type = "CONTAINER") => ({
  action: "updated",
  package: {
    name: "web",
    package_type: type,
    package_version: {
      package_url: url,
      container_metadata: { manifest: { config: config === undefined ? {} : { media_type: config } } },
    },
  },
});

const ARTIFACT_HUB_BROKEN = `{"specversion":"1.0","id":"7","type":"io.artifacthub.package.new-release","data":{"package":
  {"name":"web","version":"1.4.2","changes":["say "hello" to all"],"repository":{"kind":"helm"}}}}`;

const cdevent = (type: string, id: string) => ({
  specversion: "1.0",
  id: "1",
  source: "/ci",
  type: `dev.cdevents.${type}.0.3.0`,
  data: { subject: { id } },
});

const nexus = (action: string, format: string, version?: string) => ({
  repositoryName: "apps",
  action,
  component: { format, name: "web", version },
});

const jfrog = (event: string, data: object) => ({
  domain: event.split(" ")[0],
  event_type: event.split(" ")[1],
  data: { repo_key: "apps", path: "team/web/1.4.2/manifest.json", name: "manifest.json", ...data },
  jpd_origin: "https://reg.example/artifactory",
});

test.each<[string, Payload, readonly string[]]>([
  ["Harbor: deleted", { type: "harbor", body: harbor("DELETE_ARTIFACT", "1.4.2") }, ["deleted maybe web 1.4.2"]],
  ["Harbor: pulled", { type: "harbor", body: harbor("PULL_ARTIFACT", "1.4.2") }, ["no push"]],
  ["Harbor: a digest for a tag", { type: "harbor", body: harbor("PUSH_ARTIFACT", "sha256:ab") }, ["no tag"]],
  ["Harbor: no tag", { type: "harbor", body: harbor("PUSH_ARTIFACT", undefined) }, ["no tag"]],
  [
    "Harbor: a signature",
    { type: "harbor", body: harbor("PUSH_ARTIFACT", `sha256-${"ab".repeat(32)}.sig`) },
    ["no version"],
  ],
  [
    "Harbor: build metadata",
    { type: "harbor", body: harbor("PUSH_ARTIFACT", "1.4.2_7") },
    ["pushed maybe web 1.4.2+7"],
  ],
  ["registry: a pull", { type: "distribution", body: registry("pull", { tag: "1.4.2" }) }, ["no push"]],
  [
    "registry: an image",
    {
      type: "distribution",
      body: registry("push", { tag: "1.4.2", references: [{ mediaType: "application/vnd.oci.image.config.v1+json" }] }),
    },
    ["no chart"],
  ],
  [
    "registry: a deletion by digest",
    { type: "distribution", body: registry("delete", { digest: "sha256:ab" }) },
    ["deleted maybe web"],
  ],
  ["registry: a push by digest", { type: "distribution", body: registry("push", { digest: "sha256:ab" }) }, ["no tag"]],
  ["ACR: a ping", { type: "acr", body: { action: "ping" } }, ["no push"]],
  [
    "ACR: its old Helm API",
    { type: "acr", body: registry("chart_delete", { tag: "1.4.2" }).events[0] },
    ["deleted maybe web 1.4.2"],
  ],
  [
    "GitHub: an image",
    {
      type: "github",
      headers: { "x-github-event": "package" },
      body: github("application/vnd.oci.image.config.v1+json", "reg.example/apps/web:1.4.2"),
    },
    ["no chart"],
  ],
  [
    "GitHub: an attestation",
    { type: "github", headers: { "x-github-event": "package" }, body: github(undefined, "reg.example/apps/web:") },
    ["no tag"],
  ],
  [
    "GitHub: a package for npm",
    { type: "github", headers: { "x-github-event": "package" }, body: github(undefined, "reg.example/a:1", "npm") },
    ["no chart"],
  ],
  ["GitHub: a ping", { type: "github", headers: { "x-github-event": "ping" }, body: { zen: "…" } }, ["no push"]],
  [
    "Gitea: an image of its registry",
    {
      type: "gitea",
      url: "oci://reg.example/apps",
      headers: { "x-gitea-event": "package" },
      body: {
        action: "deleted",
        package: {
          type: "container",
          name: "web",
          version: "1.4.2",
          owner: { login: "apps" },
          html_url: "https://reg.example/x",
        },
      },
    },
    ["deleted maybe web 1.4.2"],
  ],
  [
    "Gitea: a package for npm",
    {
      type: "gitea",
      headers: { "x-gitea-event": "package" },
      body: { action: "created", package: { type: "npm", name: "web", version: "1.4.2", owner: { login: "apps" } } },
    },
    ["no chart"],
  ],
  [
    "GitLab: an issue",
    { type: "gitlab", body: { object_kind: "issue", project: { git_http_url: "https://a.example" } } },
    ["no push"],
  ],
  [
    "Artifact Hub: a quote that breaks its JSON",
    { type: "artifacthub", body: ARTIFACT_HUB_BROKEN },
    ["pushed chart web 1.4.2"],
  ],
  [
    "Artifact Hub: a plugin",
    { type: "artifacthub", body: ARTIFACT_HUB_BROKEN.replace(/"changes.*?\],/, "").replace('"helm"', '"helm-plugin"') },
    ["no chart"],
  ],
  [
    "Artifact Hub: a security alert",
    { type: "artifacthub", body: ARTIFACT_HUB_BROKEN.replace("new-release", "security-alert") },
    ["no push"],
  ],
  ["Nexus: deleted", { type: "nexus", body: nexus("DELETED", "helm", "1.4.2") }, ["deleted chart web 1.4.2"]],
  ["Nexus: of Maven", { type: "nexus", body: nexus("CREATED", "maven2", "1.4.2") }, ["no chart"]],
  ["Nexus: an asset", { type: "nexus", body: { repositoryName: "apps", action: "CREATED", asset: {} } }, ["no push"]],
  [
    "Artifactory: an image",
    { type: "artifactory", body: jfrog("docker pushed", { image_type: "docker", tag: "1.4.2" }) },
    ["no chart"],
  ],
  [
    "Artifactory: below a folder",
    { type: "artifactory", body: jfrog("docker deleted", { tag: "1.4.2" }) },
    ["deleted maybe team/web 1.4.2"],
  ],
  [
    "Artifactory: a package, from below the origin",
    {
      type: "artifactory",
      url: "https://reg.example/artifactory/apps",
      body: { ...jfrog("artifact deployed", { name: "web-1.4.2.tgz" }), jpd_origin: "https://reg.example/" },
    },
    ["pushed chart web 1.4.2"],
  ],
  [
    "Artifactory: another file",
    { type: "artifactory", body: jfrog("artifact deployed", { name: "index.yaml" }) },
    ["no chart"],
  ],
  ["Artifactory: a property", { type: "artifactory", body: jfrog("artifact_property added", {}) }, ["no push"]],
  [
    "CDEvents: deleted",
    {
      type: "cdevents",
      body: cdevent("artifact.deleted", "pkg:oci/web?repository_url=reg.example/apps/web&tag=1.4.2"),
    },
    ["deleted maybe web 1.4.2"],
  ],
  [
    "CDEvents: packaged only",
    { type: "cdevents", body: cdevent("artifact.packaged", "pkg:oci/web@1.4.2") },
    ["no push"],
  ],
  ["CDEvents: no package URL", { type: "cdevents", body: cdevent("artifact.published", "web") }, ["no package URL"]],
  [
    "CloudEvents: only that there is something",
    { type: "cloudevents", body: { id: "1", source: "/a", type: "b" } },
    ["changed maybe"],
  ],
  [
    "CloudEvents: deleted",
    { type: "cloudevents", body: { id: "1", source: "/a", type: "org.example.chart.deleted", data: { chart: "web" } } },
    ["deleted chart web"],
  ],
  [
    "CloudEvents: a name that climbs",
    { type: "cloudevents", body: { id: "1", source: "/a", type: "b", data: { chart: "../../etc/passwd" } } },
    ["no chart's name"],
  ],
])("%s", (_, payload, expected) => {
  expect(outcomeOf(payload)).toEqual(expected);
});

test("a repository that is one chart is found by its own address", () => {
  const payload = {
    type: "harbor",
    url: "oci://reg.example/apps/web",
    body: harbor("PUSH_ARTIFACT", "1.4.2"),
  } as const;
  expect(outcomeOf(payload)).toEqual(["pushed maybe web 1.4.2"]);
});
