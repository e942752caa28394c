import { Failure } from "../../../shared/errors.ts";
import { HelmRepo } from "../../../shared/resources/helm-repo.ts";
import type { OpxContext } from "../context.ts";
import { progressOf } from "./summary.ts";

/** What is waited for, and for how long. */
export interface SyncWait {
  readonly name: string;
  readonly timeoutMs: number;
  /** Whether this state of the repository is the end of the sync that is meant. */
  ended(repo: HelmRepo): boolean;
}

/** The repository once its sync has ended, well or not; tells how far it is meanwhile. Fails when the time is up. */
export async function waitForSync(context: OpxContext, { name, timeoutMs, ended }: SyncWait): Promise<HelmRepo> {
  const { kube, progress } = context;
  const signal = AbortSignal.timeout(timeoutMs);
  for await (const { type, object } of kube.watch(HelmRepo, { signal })) {
    if (object.metadata.name !== name) continue;
    if (type === "DELETED") throw new Failure("Invalid", `repository ${name} was removed meanwhile`);
    const repo = object as HelmRepo;
    if (!repo.status?.sync && ended(repo)) return repo;
    progress.tell(progressOf(repo));
  }
  const seconds = Math.round(timeoutMs / 1000);
  throw new Failure("Unavailable", `${name} is not synced after ${seconds} s; it goes on, see opx repo status ${name}`);
}

/** Options of every command that can wait for a sync. */
export const WAIT_OPTIONS = {
  wait: { type: "boolean", description: "wait until the sync has ended; its failure is then the command's" },
  timeout: { type: "string", value: "TIME", description: "how long to wait, as 90s or 5m (default: 5m)" },
} as const;

/** Waiting time where none is given. */
export const DEFAULT_TIMEOUT = "5m";
