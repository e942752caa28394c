import { randomBytes } from "node:crypto";
import { pack } from "../../support/archives.ts";
import type { RestTarget } from "../../support/rest-target.ts";
import { BASE } from "./case.ts";

/** What the suite has made, by the names that stand for it in the tables. */
export type Fixture = Readonly<Record<string, string>>;

/** States that the suite has a version in, with the acts that lead there. */
export const WALKS = {
  draft: [],
  submitted: ["submit"],
  passed: ["submit", "pass"],
  rejected: ["submit", "reject"],
  active: ["submit", "pass", "release"],
  suspended: ["submit", "pass", "release", "suspend"],
} as const;

/** Versions of the application that lists are paged through. */
export const LISTED = 12;

/** A chart package in base64. */
export function chartPackage(name: string, version: string, more = ""): string {
  const body = `apiVersion: v2\nname: ${name}\nversion: ${version}\nappVersion: "7"\n${more}`;
  return pack({ path: `${name}/Chart.yaml`, body }).toString("base64");
}

/**
 * Makes applications through the API itself, so that any server will do: one with a version in each state, one with
 * versions to page through, one without versions, and some names of nothing at all.
 */
export async function makeFixture(target: RestTarget): Promise<Fixture> {
  const run = `c${randomBytes(4).toString("hex")}`;
  const { workspace } = target;
  const path = `/v1/workspaces/${workspace}/apps`;
  const create = async (name: string, version: string) =>
    post(target, path, { version_package: chartPackage(name, version, `description: the ${name}\n`) });
  const states = await Promise.all(
    Object.entries(WALKS).map(async ([state, acts]) => {
      const made = await create(`${run}-${state}`, "1.0.0");
      const version = `${path}/${made["app_id"]}/versions/${made["version_id"]}`;
      for (const action of acts) await post(target, `${version}/action`, { action, message: `to ${state}` });
      return [
        [state, `${made["version_id"]}`],
        [`${state}App`, `${made["app_id"]}`],
      ] as const;
    }),
  );
  const listed = await create(`${run}-listed`, "0.1.0");
  for (let minor = 2; minor <= LISTED; minor++) {
    const version = { package: chartPackage(`${run}-listed`, `0.${minor}.0`) };
    await post(target, `${path}/${listed["app_id"]}/versions`, version);
  }
  const named = Object.fromEntries(states.flat());
  const made = await administered(target, run);
  return {
    ...{ run, workspace, ...named, listedApp: `${listed["app_id"]}`, listed: `${listed["version_id"]}` },
    ...{ app: `${named["draftApp"]}`, version: `${named["draft"]}`, chart: `${run}-draft` },
    ...{ repo: "repo-nothing", category: "ctg-nothing", attachment: "att-nothing", event: "0".repeat(32) },
    ...made,
    ...{ application: "rls-nothing", cluster: "default", namespace: "default" },
  };
}

/** A category, a repository and a picture. */
async function administered(target: RestTarget, run: string): Promise<Fixture> {
  const { workspace, repositoryUrl } = target;
  const category = await post(target, "/v1/categories", { name: `${run} shelf`, description: "a shelf" });
  const repo = await post(target, `/v1/workspaces/${workspace}/repos`, {
    name: `${run}-charts`,
    url: repositoryUrl.replace("://", "://user:secret@"),
    description: "some charts",
    sync_period: "24h",
  });
  return {
    repositoryUrl,
    shelf: `${category["category_id"]}`,
    source: `${repo["repo_id"]}`,
    missing: `${repositoryUrl}/missing`,
    picture: await picture(target),
  };
}

/** A picture of this run alone: equal bytes have equal ids. */
async function picture(target: RestTarget): Promise<string> {
  const form = new FormData();
  form.append("file", new Blob([`GIF89a${randomBytes(8).toString("hex")}`]), "picture.gif");
  const headers = target.headersOf("admin");
  const answer = await fetch(`${target.url}${BASE}/v1/attachments`, { method: "POST", headers, body: form });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`the picture was answered with ${answer.status}: ${text}`);
  return JSON.parse(text).attachment_id;
}

async function post(target: RestTarget, path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const headers = { ...target.headersOf("admin"), "content-type": "application/json" };
  const answer = await fetch(target.url + BASE + path, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`POST ${path} was answered with ${answer.status}: ${text}`);
  return JSON.parse(text);
}
