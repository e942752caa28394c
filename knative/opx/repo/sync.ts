import { findCondition } from "../../../shared/conditions.ts";
import { apiVersionOf, type KubeObject } from "../../../shared/resource.ts";
import { HelmRepo } from "../../../shared/resources/helm-repo.ts";
import { ANNOTATION } from "../../../shared/resources/labels.ts";
import { defineCommand } from "../command.ts";
import { durationMs } from "../duration.ts";
import { findRepo } from "./find.ts";
import { outcomeOf, summaryOf } from "./summary.ts";
import { DEFAULT_TIMEOUT, WAIT_OPTIONS, waitForSync } from "./wait-for-sync.ts";

/** opx repo sync */
export const repoSync = defineCommand({
  name: "repo sync",
  summary: "Ask for a repository to be synced now.",
  arguments: [{ name: "NAME", description: "name of the repository" }],
  options: WAIT_OPTIONS,
  examples: ["repo sync stable", "repo sync stable --wait --timeout 2m"],
  async run({ arguments: [name = ""], options: { wait, timeout = DEFAULT_TIMEOUT } }, context) {
    const timeoutMs = durationMs("--timeout", timeout);
    const { metadata } = await findRepo(context.kube, name);
    const requested = context.now().toISOString();
    await context.kube.apply(HelmRepo, request(metadata, requested), "opx");
    if (!wait)
      return { json: { name, requested }, lines: [`${name}: a sync is asked for; see opx repo status ${name}`] };
    const ended = ({ status }: HelmRepo) => (status?.lastHandledRequest ?? "") >= requested;
    const repo = await waitForSync(context, { name, timeoutMs, ended });
    const failed = findCondition(repo.status?.conditions, "Ready")?.status !== "True";
    return { json: { ...summaryOf(repo), requested }, lines: [outcomeOf(repo)], ...(failed ? { failed } : {}) };
  },
});

/** The uid keeps it from making a repository that was removed meanwhile anew. */
function request({ name, uid }: HelmRepo["metadata"], requested: string): KubeObject {
  const metadata = {
    name,
    ...(uid === undefined ? {} : { uid }),
    annotations: { [ANNOTATION.requestedAt]: requested },
  };
  return { apiVersion: apiVersionOf(HelmRepo), kind: HelmRepo.kind, metadata };
}
