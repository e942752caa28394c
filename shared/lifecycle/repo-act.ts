import { type Decision, refuse } from "../decision.ts";
import { MAX_ENVELOPE_BYTES, unseal } from "../envelope.ts";
import type { DataOf, Event } from "../event.ts";
import { RepoActionRefused, type RepoAdded, RepoChanged } from "../events/repo.ts";
import { goDuration } from "../go-duration.ts";
import { SYSTEM_NAMESPACE } from "../origin.ts";
import type { Blobs } from "../ports.ts";
import { subjectOf } from "../resource.ts";
import type { Secret } from "../resources/core.ts";
import { HelmRepo } from "../resources/helm-repo.ts";
import { LABEL } from "../resources/labels.ts";
import { CREDENTIAL_KEYS, parsedCredential } from "./repo-credential.ts";

/** What comes of an act on a repository. */
export type RepoDecision = Decision<typeof RepoChanged.type | typeof RepoActionRefused.type, "HelmRepo" | "Secret">;

/** A problem with what somebody wants, in a word for programs and a sentence for people. */
export interface RepoProblem {
  readonly reason: string;
  readonly why: string;
}

/** The fact that a repository is as somebody wanted it; without a name it is gone. */
export function repoChanged(repo: string, name: string | null) {
  return RepoChanged.of(subjectOf(HelmRepo, { name: repo }), { repo, name });
}

/** Refuses an act on a repository, with the fact that says so. */
export function refuseRepo(
  { operator }: Event,
  { repo, action, reason, why }: RepoProblem & { readonly repo: string; readonly action: string },
) {
  const told = { repo, action, reason, message: why, ...(operator === undefined ? {} : { operator }) };
  const fact = RepoActionRefused.of(subjectOf(HelmRepo, { name: repo }), told);
  return refuse(reason, why, { announce: [fact] });
}

type Sealed = NonNullable<DataOf<typeof RepoAdded>["credential"]>;

/** Keys of a repository's Secret, opened from their envelope; `lost` where it is gone or not to be opened. */
export type Credential = Readonly<Record<string, string>> | "lost" | undefined;

/** Opens the envelope of an event, if it has one. */
export async function openCredential(sealed: Sealed | undefined, blobs: Blobs): Promise<Credential> {
  if (!sealed) return undefined;
  const bytes = await blobs.get("envelopes", sealed.envelope, MAX_ENVELOPE_BYTES);
  const text = bytes && unseal({ bytes, key: sealed.key });
  return text === undefined ? "lost" : (parsedCredential(text) ?? "lost");
}

/** The envelope of an event, to be given up once its content is in a Secret. */
export function spentEnvelope(sealed: Sealed | undefined) {
  return sealed ? [{ bucket: "envelopes" as const, key: sealed.envelope }] : [];
}

/** Name of the Secret with the credentials of a repository. */
export function credentialSecret(repo: string) {
  return { name: `${repo}-credentials`, namespace: SYSTEM_NAMESPACE };
}

/** The Secret of a repository; its owner makes that no other repository can use it, and that it goes along. */
export function secretOf(
  repo: string,
  credential: Readonly<Record<string, string>>,
): Pick<Secret, "metadata" | "data"> & {
  readonly type: string;
} {
  // Keys that are not given are emptied: another function may have written them.
  const data = CREDENTIAL_KEYS.map((key) => [key, Buffer.from(credential[key] ?? "").toString("base64")]);
  return { metadata: credentialSecret(repo), type: "Opaque", data: Object.fromEntries(data) };
}

/** Repositories of the same workspace, or of none. */
export function neighboursIn(workspace: string, repos: readonly HelmRepo[]): readonly HelmRepo[] {
  return repos.filter(({ metadata }) => (metadata.labels?.[LABEL.workspace] ?? "") === workspace);
}

/** Why a repository cannot be called so (texts: KubeSphere §6.4). */
export function repoNameProblem(name: string, others: readonly HelmRepo[]): RepoProblem | undefined {
  if (name === "") return { reason: "NameMissing", why: "repo name is empty" };
  return others.some(({ spec }) => spec.name === name) ? { reason: "NameTaken", why: "repo exists" } : undefined;
}

/** Why an address cannot be a repository's (text: KubeSphere §6.4, as Go's HTTP client says it). */
export function repoUrlProblem(text: string): RepoProblem | undefined {
  const url = URL.parse(text);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase() ?? "";
  if (!url || !["http", "https", "s3", "oci"].includes(scheme)) {
    const address = `${text.replace(/\/+$/, "")}/index.yaml`;
    return { reason: "UrlUnusable", why: `Get "${address}": unsupported protocol scheme "${scheme}"` };
  }
  if (!url.username && !url.password) return undefined;
  return { reason: "CredentialInUrl", why: "the address holds a user name or password, which events must not carry" };
}

/** The shortest period that is kept (KubeSphere §3.2). */
const MIN_PERIOD_S = 180;

/** Seconds between two syncs; texts that are no duration are a problem, in Go's words. */
export function readPeriod(text: string | undefined): { readonly seconds: number } | RepoProblem {
  const seconds = text === undefined || text === "" ? 0 : goDuration(text);
  if (seconds === undefined) return { reason: "PeriodUnusable", why: `time: invalid duration "${text}"` };
  return { seconds: seconds <= 0 ? 0 : Math.max(MIN_PERIOD_S, Math.round(seconds)) };
}
