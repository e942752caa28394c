import { findCondition } from "../../../shared/conditions.ts";
import { Failure } from "../../../shared/errors.ts";
import { SYSTEM_NAMESPACE } from "../../../shared/origin.ts";
import { apiVersionOf, type KubeObject } from "../../../shared/resource.ts";
import { Secret } from "../../../shared/resources/core.ts";
import { HelmRepo } from "../../../shared/resources/helm-repo.ts";
import { defineCommand } from "../command.ts";
import type { OpxContext } from "../context.ts";
import { durationMs } from "../duration.ts";
import { CREDENTIAL_OPTIONS, readCredentials } from "./credentials.ts";
import { newRepo, REPO_OPTIONS } from "./new-repo.ts";
import { outcomeOf, summaryOf } from "./summary.ts";
import { DEFAULT_TIMEOUT, WAIT_OPTIONS, waitForSync } from "./wait-for-sync.ts";

const MANAGER = "opx";

/** opx repo add */
export const repoAdd = defineCommand({
  name: "repo add",
  summary: "Add a repository; its charts appear in the store as applications.",
  arguments: [
    { name: "NAME", description: "name of the repository, a-z, 0-9 and -" },
    { name: "URL", description: "https://, http:// (folder of index.yaml), oci:// or s3://" },
  ],
  options: { ...REPO_OPTIONS, ...CREDENTIAL_OPTIONS, ...WAIT_OPTIONS },
  examples: [
    "repo add stable https://charts.example.com --every 1h --wait",
    "repo add team oci://registry.example.com/charts --username robot --password-stdin < password.txt",
    "repo add signed https://charts.example.com --verify require --keyring-secret vendors",
  ],
  async run({ arguments: [name = "", url = ""], options }, context) {
    const { wait, timeout = DEFAULT_TIMEOUT } = options;
    const timeoutMs = durationMs("--timeout", timeout);
    const entries = await readCredentials(options, context);
    const made = Object.keys(entries).length > 0 ? `${name}-credentials` : undefined;
    const wanted = newRepo({ name, url, secret: options.secret ?? made, values: options });
    await refuseExisting(name, context);
    if (made) await makeSecret(made, entries, context);
    const repo = await makeRepo(wanted, made, context);
    if (made) await context.kube.apply(Secret, ownedSecret(made, repo), MANAGER);
    if (!wait) return { json: { name, url, created: true }, lines: [`${name}: added; see opx repo status ${name}`] };
    const ended = ({ status }: HelmRepo) => (status?.syncState ?? []).length > 0;
    const synced = await waitForSync(context, { name, timeoutMs, ended });
    const failed = findCondition(synced.status?.conditions, "Ready")?.status !== "True";
    return { json: summaryOf(synced), lines: [outcomeOf(synced)], ...(failed ? { failed } : {}) };
  },
});

async function refuseExisting(name: string, { kube }: OpxContext): Promise<void> {
  if (!(await kube.get(HelmRepo, name))) return;
  throw new Failure("Conflict", `repository ${name} exists; choose another name, or opx repo remove ${name} first`);
}

async function makeSecret(name: string, entries: Readonly<Record<string, string>>, { kube }: OpxContext) {
  const data = Object.entries(entries).map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
  await kube.create(Secret, { ...secretOf(name), data: Object.fromEntries(data) } as KubeObject, MANAGER);
}

async function makeRepo(wanted: ReturnType<typeof newRepo>, secret: string | undefined, { kube }: OpxContext) {
  const object = { apiVersion: apiVersionOf(HelmRepo), kind: HelmRepo.kind, ...wanted };
  try {
    return await kube.create(HelmRepo, object, MANAGER);
  } catch (error) {
    // Credentials of a repository that does not exist would lie around for ever.
    if (secret !== undefined) await kube.remove(Secret, secretOf(secret));
    throw error;
  }
}

/** With its repository a Secret goes that was made for it. */
function ownedSecret(name: string, { metadata }: KubeObject): KubeObject {
  const { name: repo, uid = "" } = metadata;
  const owner = { apiVersion: apiVersionOf(HelmRepo), kind: HelmRepo.kind, name: repo, uid };
  const secret = secretOf(name);
  return { ...secret, metadata: { ...secret.metadata, ownerReferences: [owner] } };
}

function secretOf(name: string): KubeObject {
  return { apiVersion: apiVersionOf(Secret), kind: Secret.kind, metadata: { name, namespace: SYSTEM_NAMESPACE } };
}
