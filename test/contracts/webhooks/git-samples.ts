import { createHmac } from "node:crypto";
import { DIGEST, hexHmac, jsonBody, partsOf, type Sample, TOKEN } from "./sample.ts";

const JSON_TYPE = { "content-type": "application/json" };
const RELEASED = { action: "pushed", certainty: "chart", chart: "web", version: "1.4.2" };
const GIT = { action: "changed", certainty: "git" };

const SIGNED = { key: "token", secret: TOKEN, signs: true, dated: false, identified: true } as const;

/** Git hosts: most of them sign. */
export const GIT_SAMPLES: readonly Sample[] = [
  ...["package", "registry_package"].map(
    (event): Sample => ({
      ...SIGNED,
      title: `GitHub, ${event}`,
      receiver: { type: "github" },
      url: "oci://ghcr.io/acme",
      place: "ghcr.io/acme/web",
      elsewhere: "ghcr.io/evil/web",
      expected: { ...RELEASED, digest: DIGEST },
      make: ({ place, version, secret, at }) =>
        byGitHub(event, secret, {
          action: "published",
          [event]: {
            name: "web",
            namespace: "acme",
            package_type: "CONTAINER",
            updated_at: at.toISOString(),
            owner: { login: "acme" },
            package_version: {
              package_url: `${place}:${version}`,
              container_metadata: {
                tag: { name: version, digest: DIGEST },
                manifest: { config: { media_type: "application/vnd.cncf.helm.config.v1+json" } },
              },
            },
          },
          repository: { full_name: "acme/web" },
        }),
    }),
  ),
  {
    ...SIGNED,
    title: "GitHub, release",
    receiver: { type: "github" },
    url: "https://acme.github.io/charts",
    place: "github.com/acme/charts",
    elsewhere: "github.com/evil/charts",
    expected: RELEASED,
    make: ({ place, version, secret, at }) => {
      const names = [`web-${version}.tgz`, `web-${version}.tgz.prov`];
      const assets = names.map((name) => ({ name, browser_download_url: `https://${place}/releases/${name}` }));
      const release = { tag_name: `web-${version}`, prerelease: false, published_at: at.toISOString(), assets };
      return byGitHub("release", secret, { action: "published", release, repository: cloned(place) });
    },
  },
  {
    ...SIGNED,
    title: "GitHub, push",
    receiver: { type: "github", aliases: ["https://github.com/acme/charts.git"] },
    url: "https://charts.example.org",
    place: "github.com/acme/charts",
    elsewhere: "github.com/acme/other",
    expected: GIT,
    make: ({ place, secret, at }) =>
      byGitHub("push", secret, {
        ref: "refs/heads/gh-pages",
        before: "0".repeat(40),
        after: "1".repeat(40),
        repository: cloned(place),
        head_commit: { timestamp: at.toISOString() },
        commits: [{ added: [], modified: ["index.yaml"], removed: [] }],
      }),
  },
  {
    ...SIGNED,
    title: "GitLab, token",
    signs: false,
    receiver: { type: "gitlab", aliases: ["gitlab.example.org/acme/web"] },
    url: "https://charts.example.org",
    place: "gitlab.example.org/acme/web",
    elsewhere: "gitlab.example.org/acme/other",
    expected: RELEASED,
    make: ({ place, version, secret }) => ({
      headers: { ...JSON_TYPE, "x-gitlab-event": "Release Hook", "x-gitlab-token": secret },
      body: jsonBody(gitlabRelease(place, version)),
    }),
  },
  {
    ...SIGNED,
    title: "GitLab, signed",
    key: "signingKey",
    secret: `whsec_${Buffer.from("a key of twenty-four byte").toString("base64")}`,
    dated: true,
    receiver: { type: "gitlab" },
    url: "https://acme.gitlab.io/web/charts",
    place: "gitlab.com/acme/web",
    elsewhere: "gitlab.com/evil/web",
    expected: RELEASED,
    make: ({ place, version, secret, at }) => {
      const body = jsonBody(gitlabRelease(place, version));
      const [id, time] = ["f5e5f430-f57b-4e6e-9fac-d9128cd7232f", String(Math.floor(at.getTime() / 1000))];
      const key = Buffer.from(secret.slice("whsec_".length), "base64");
      const signature = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest("base64");
      const signed = { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
      return { headers: { ...JSON_TYPE, "x-gitlab-event": "Release Hook", ...signed }, body };
    },
  },
  {
    ...SIGNED,
    title: "Gitea, package",
    receiver: { type: "gitea" },
    url: "https://gitea.example.org/api/packages/acme/helm",
    place: "gitea.example.org/acme",
    elsewhere: "gitea.example.org/evil",
    expected: RELEASED,
    make: ({ place, version, secret, at }) => {
      const { path } = partsOf(place);
      const html_url = `https://${place}/-/packages/helm/web/${version}`;
      const named = { type: "helm", name: "web", version, owner: { login: path }, created_at: at.toISOString() };
      const body = jsonBody({ action: "created", package: { ...named, html_url }, sender: { login: "ci" } });
      const signature = hexHmac("sha256", secret, body);
      return { headers: { ...JSON_TYPE, "x-gitea-event": "package", "x-gitea-signature": signature }, body };
    },
  },
  {
    ...SIGNED,
    title: "Forgejo, push",
    receiver: { type: "gitea", aliases: ["code.example.org/acme/charts"] },
    url: "https://charts.example.org",
    place: "code.example.org/acme/charts",
    elsewhere: "code.example.org/acme/other",
    expected: GIT,
    make: ({ place, secret, at }) => {
      const pushed = { ref: "refs/heads/main", before: "0".repeat(40), after: "1".repeat(40), time: at.toISOString() };
      const body = jsonBody({ ...pushed, repository: cloned(place) });
      const signature = hexHmac("sha256", secret, body);
      return { headers: { ...JSON_TYPE, "x-forgejo-event": "push", "x-forgejo-signature": signature }, body };
    },
  },
];

function byGitHub(event: string, secret: string, payload: object) {
  const body = jsonBody(payload);
  const delivery = "72d3162e-cc78-11e3-81ab-4c9367dc0958";
  const signature = `sha256=${hexHmac("sha256", secret, body)}`;
  const headers = { "x-github-event": event, "x-github-delivery": delivery, "x-hub-signature-256": signature };
  return { headers: { ...JSON_TYPE, ...headers }, body };
}

function cloned(place: string) {
  return {
    clone_url: `https://${place}.git`,
    html_url: `https://${place}`,
    ssh_url: `git@${place.replace("/", ":")}.git`,
  };
}

function gitlabRelease(place: string, version: string) {
  const links = [{ name: `web-${version}.tgz`, url: `https://${place}/web-${version}.tgz` }];
  const project = { git_http_url: `https://${place}.git`, path_with_namespace: partsOf(place).path };
  return { object_kind: "release", action: "create", tag: `v${version}`, name: "web", project, assets: { links } };
}
