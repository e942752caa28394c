import { mapLimited } from "../concurrency.ts";
import type { DesiredRelease, Helm, HelmResult, ReleaseObject } from "../helm-port.ts";
import type { Clock, ObjectName } from "../ports.ts";
import { STOP_MS } from "./helm-command.ts";
import { type DeclaredObject, declaredObjects } from "./helm-manifest.ts";
import {
  failureIn,
  isBusy,
  isMissing,
  isUnreachable,
  parseHistory,
  type Revision,
  revisionIn,
  withoutValues,
} from "./helm-output.ts";
import { type HelmAt, type HelmRun, type HelmSession, helmMajor, withHelm } from "./helm-session.ts";
import type { Kube } from "./kubernetes.ts";

/** What the Helm port needs. */
export interface HelmOptions extends HelmAt {
  /** Reads the live objects of a release. */
  readonly kube: Pick<Kube, "findKind" | "get">;
  /** Tells how old an unfinished operation is; default: the machine's clock. */
  readonly clock?: Clock;
}

const QUERY_MS = 30_000;
const UNINSTALL_MS = 120_000;
const HISTORY = 10;
const MAX_OBJECTS = 500;
const CONCURRENT_READS = 16;

/** Helm's own rules for names; they also keep a name from being taken for an option. */
const RELEASE_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Drives the real Helm program. What is wrong with a release is a result; what is wrong around it (no cluster, no
 * rights, no program) is a `Failure`. Values and credentials travel in files of a private folder, never as arguments.
 */
export function createHelm(options: HelmOptions): Helm {
  let version: Promise<number> | undefined;
  const major = () => {
    version ??= helmMajor(options).catch((error: unknown) => {
      version = undefined;
      throw error;
    });
    return version;
  };
  return {
    async converge(release) {
      const problem = nameProblem(release);
      if (problem !== undefined) return { outcome: "failed", message: problem };
      const modern = (await major()) >= 4;
      const now = (options.clock?.now() ?? new Date()).getTime();
      return withHelm(options, (session) => converge({ session, release, modern, now }));
    },
    async objects(name) {
      if (nameProblem(name) !== undefined) return undefined;
      const manifest = await withHelm(options, (session) => deployedManifest(session, name));
      if (manifest === undefined) return undefined;
      const objects = declaredObjects(name.name, manifest).slice(0, MAX_OBJECTS);
      return mapLimited(objects, CONCURRENT_READS, (object) => readLive(options.kube, object, name));
    },
    async uninstall(name, adopt = false) {
      // A release that Helm could never have made is not there.
      if (nameProblem(name) !== undefined) return;
      await withHelm(options, async (session) => {
        const revisions = adopt ? [] : ((await history(session, name)) ?? []);
        if (isForeign(revisions)) return;
        await uninstall(session, name, []);
      });
    },
  };
}

function nameProblem({ name, namespace }: ObjectName): string | undefined {
  if (name.length > 53 || !RELEASE_NAME.test(name)) {
    return `"${name.slice(0, 80)}" cannot be the name of a Helm release: at most 53 of a-z, 0-9, "-" and "."`;
  }
  if (namespace === undefined || !NAMESPACE.test(namespace)) {
    return `"${(namespace ?? "").slice(0, 80)}" cannot be the name of a namespace`;
  }
  return undefined;
}

interface Convergence {
  readonly session: HelmSession;
  readonly release: DesiredRelease;
  /** Helm 4: server-side apply and its options. */
  readonly modern: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

async function converge(convergence: Convergence): Promise<HelmResult> {
  const { session, release, now } = convergence;
  const revisions = (await history(session, release)) ?? [];
  const newest = revisions.at(-1);
  if (newest?.status === "deployed" && newest.description === description(release)) {
    return { outcome: "deployed", revision: newest.revision, changed: false };
  }
  if (!release.adopt && isForeign(revisions)) return foreign(release);
  if (newest && isUnfinished(newest)) {
    // Whoever began it would have been stopped by now, so it died and left the release locked.
    const abandoned = now - Date.parse(newest.updated) > release.timeoutMs + STOP_MS;
    if (!abandoned) return { outcome: "busy" };
    await recover(convergence, revisions);
  }
  return upgrade(convergence);
}

const OURS = "openpitrix ";

function description({ mark }: DesiredRelease): string {
  return `${OURS}${mark}`;
}

/** Helm puts our mark on what it deployed only: what failed or never ended may be ours too. */
function isForeign(revisions: readonly Revision[]): boolean {
  return revisions.some(hasWorked) && !revisions.some(({ description: text }) => text.startsWith(OURS));
}

function hasWorked({ status }: Revision): boolean {
  return status === "deployed" || status === "superseded";
}

/** `helm upgrade --install` would take over whatever bears the name. */
function foreign({ name, namespace }: DesiredRelease): HelmResult {
  const message = `namespace ${namespace} has a Helm release ${name} that the store did not make; choose another name, or uninstall that one`;
  return { outcome: "failed", message };
}

function isUnfinished({ status }: Revision): boolean {
  return status.startsWith("pending-") || status === "uninstalling";
}

/** Frees a locked release: back to the last revision that worked, or away with it where none ever did. */
async function recover({ session, release, modern }: Convergence, revisions: readonly Revision[]): Promise<void> {
  const working = revisions.findLast(hasWorked);
  const uninstalling = revisions.at(-1)?.status === "uninstalling";
  if (working === undefined || uninstalling) return uninstall(session, release, ["--no-hooks"]);
  const args = ["rollback", release.name, String(working.revision), "--namespace", release.namespace];
  const run = await session.run([...args, "--no-hooks", ...applyOptions(modern)], release.timeoutMs);
  if (run.complaint !== undefined) throw failureIn(`recover release ${release.name}`, run, run.complaint);
}

async function upgrade({ session, release, modern }: Convergence): Promise<HelmResult> {
  const { name, namespace, timeoutMs } = release;
  const chart = await session.write("chart.tgz", release.chart);
  const values = await session.write("values.yaml", release.values);
  const options = ["--install", "--namespace", namespace, "--values", values, "--description", description(release)];
  // Without it Helm takes over the previous values where ours are empty.
  options.push("--reset-values", "--timeout", hookTimeout(timeoutMs), ...applyOptions(modern));
  const run = await session.run(["upgrade", name, chart, ...options], timeoutMs);
  if (run.complaint !== undefined) return failed(release, run, run.complaint);
  const revision = revisionIn(run.stdout) ?? (await history(session, release))?.at(-1)?.revision ?? 1;
  return { outcome: "deployed", revision, changed: true };
}

/** Fields that somebody else set are taken over, as Helm 3 did; Helm 4 would refuse the upgrade. */
function applyOptions(modern: boolean): readonly string[] {
  return ["--history-max", String(HISTORY), ...(modern ? ["--server-side=true", "--force-conflicts"] : [])];
}

/** Helm limits each hook, we limit all of it: a hook that hangs is then told by Helm itself, with its name. */
function hookTimeout(timeoutMs: number): string {
  return `${Math.max(1, Math.floor((timeoutMs * 0.9) / 1000))}s`;
}

function failed(release: DesiredRelease, run: HelmRun, complaint: string): HelmResult {
  if (isBusy(complaint)) return { outcome: "busy" };
  if (isUnreachable(complaint)) throw failureIn(`install release ${release.name}`, run, complaint);
  const text = run.timedOut ? `stopped after ${release.timeoutMs / 1000} s: ${complaint}` : complaint;
  return { outcome: "failed", message: withoutValues(text, release.values) };
}

/** Revisions, oldest first; `undefined` where there is no such release. */
async function history(
  session: HelmSession,
  { name, namespace }: ObjectName,
): Promise<readonly Revision[] | undefined> {
  const args = ["history", name, "--namespace", namespace ?? "", "--max", String(HISTORY), "--output", "json"];
  const run = await session.run(args, QUERY_MS);
  if (run.complaint === undefined) return parseHistory(run.stdout);
  if (isMissing(run.complaint)) return undefined;
  throw failureIn(`look at release ${name}`, run, run.complaint);
}

/** The manifest of the deployed revision, or of the newest where none is deployed. */
async function deployedManifest(session: HelmSession, name: ObjectName): Promise<string | undefined> {
  const revisions = await history(session, name);
  const revision = (revisions?.findLast(({ status }) => status === "deployed") ?? revisions?.at(-1))?.revision;
  if (revision === undefined) return undefined;
  const args = ["get", "manifest", name.name, "--namespace", name.namespace ?? "", "--revision", String(revision)];
  const run = await session.run(args, QUERY_MS);
  if (run.complaint === undefined) return run.stdout;
  if (isMissing(run.complaint)) return undefined;
  throw failureIn(`read the manifest of release ${name.name}`, run, run.complaint);
}

async function readLive(
  kube: HelmOptions["kube"],
  object: DeclaredObject,
  release: ObjectName,
): Promise<ReleaseObject> {
  const { apiVersion, kind, name } = object;
  const found = await kube.findKind(apiVersion, kind);
  const namespace = object.namespace ?? release.namespace;
  const scoped = found?.scope !== "Cluster" && namespace !== undefined ? { namespace } : {};
  const live = found && (await kube.get(found, { name, ...scoped }));
  return { apiVersion, kind, name, ...scoped, live: live && { ...live } };
}

async function uninstall(session: HelmSession, name: ObjectName, options: readonly string[]): Promise<void> {
  const seconds = hookTimeout(UNINSTALL_MS);
  const args = ["uninstall", name.name, "--namespace", name.namespace ?? "", "--timeout", seconds, ...options];
  const run = await session.run(args, UNINSTALL_MS);
  if (run.complaint === undefined || isMissing(run.complaint)) return;
  throw failureIn(`uninstall release ${name.name}`, run, run.complaint);
}
