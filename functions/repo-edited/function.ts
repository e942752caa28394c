import { apply, change, replace } from "../../shared/decision.ts";
import type { EventOf } from "../../shared/event.ts";
import { RepoActionRefused, RepoChanged, RepoEdited } from "../../shared/events/repo.ts";
import { defineFunction } from "../../shared/function.ts";
import { isDone, remembering } from "../../shared/lifecycle/remembered-acts.ts";
import {
  type Credential,
  credentialSecret,
  neighboursIn,
  openCredential,
  type RepoDecision,
  type RepoProblem,
  readPeriod,
  refuseRepo,
  repoChanged,
  repoNameProblem,
  repoUrlProblem,
  secretOf,
  spentEnvelope,
} from "../../shared/lifecycle/repo-act.ts";
import { cutText } from "../../shared/lifecycle/version-object.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { ANNOTATION, LABEL } from "../../shared/resources/labels.ts";

type Edit = EventOf<typeof RepoEdited>;

/** What is decided on. */
interface World {
  readonly repos: readonly HelmRepo[];
  readonly credential: Credential;
}

/** A repository is edited; its credentials stay with their host. */
export default defineFunction({
  on: RepoEdited,
  summary: "Edits a repository; credentials that are given replace its own.",
  emits: [RepoChanged, RepoActionRefused],
  reads: [HelmRepo],
  writes: [HelmRepo, Secret],
  uses: ["blobs"],
  timeoutMs: 20_000,
  gather: async ({ data }, { kube, blobs }): Promise<World> => ({
    repos: await kube.list(HelmRepo),
    credential: await openCredential(data.credential, blobs),
  }),
  decide: ({ repos, credential }, event): RepoDecision => {
    const { repo: name, credential: sealed } = event.data;
    const forget = spentEnvelope(sealed);
    const repo = repos.find(({ metadata }) => metadata.name === name);
    if (!repo) {
      const why = `helmrepos.application.kubesphere.io "${name}" not found`;
      return { ...refuseRepo(event, { repo: name, action: "edit", reason: "RepoNotFound", why }), forget };
    }
    if (isDone(repo, event)) return change({ announce: [repoChanged(name, repo.spec.name)], forget });
    const problem = problemOf(repo, repos, event) ?? (credential === "lost" ? LOST : undefined);
    if (problem) return { ...refuseRepo(event, { repo: name, action: "edit", ...problem }), forget };
    const given = credential === "lost" ? undefined : credential;
    const wanted = edited(repo, event, given !== undefined);
    const secret = given ? [apply(Secret, secretOf(name, given), { kind: HelmRepo, name })] : [];
    return change({
      write: [...secret, { ...replace(HelmRepo, wanted), last: true }],
      announce: [repoChanged(name, wanted.spec.name)],
      forget,
    });
  },
});

const LOST = { reason: "CredentialLost", why: "the credentials cannot be read any more; edit the repository again" };

function problemOf(repo: HelmRepo, repos: readonly HelmRepo[], { data }: Edit): RepoProblem | undefined {
  const { name, labels, deletionTimestamp } = repo.metadata;
  if (deletionTimestamp !== undefined) return { reason: "BeingDeleted", why: `repository ${name} is being deleted` };
  const others = neighboursIn(labels?.[LABEL.workspace] ?? "", repos).filter(({ metadata }) => metadata.name !== name);
  const period = readPeriod(data.syncPeriod);
  return (
    (data.name === undefined ? undefined : repoNameProblem(data.name.trim(), others)) ??
    (data.url === undefined ? undefined : repoUrlProblem(data.url)) ??
    ("why" in period ? period : undefined)
  );
}

/** Any other address asks for a sync, as KubeSphere does by the version of the spec. */
function edited(repo: HelmRepo, event: Edit, signsIn: boolean): HelmRepo {
  const { name, url, description } = event.data;
  const { spec } = repo;
  const moved = url !== undefined && url !== spec.url;
  return {
    ...repo,
    metadata: { ...repo.metadata, annotations: remembering({ annotations: periodText(repo, event) }, event) },
    spec: {
      ...(moved && originOf(url) !== originOf(spec.url) ? withoutCredentials(spec) : spec),
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(description === undefined ? {} : { description: cutText(description) }),
      ...(moved ? { url, version: (spec.version ?? 0) + 1 } : {}),
      ...periodOf(event),
      ...(signsIn ? { secretRef: credentialSecret(repo.metadata.name), credential: {} } : {}),
    },
  };
}

/** What one host was trusted with is not shown to another one. */
function withoutCredentials({ secretRef: _, credential: __, ...spec }: HelmRepo["spec"]): HelmRepo["spec"] {
  return spec;
}

function originOf(text: string): string {
  const url = URL.parse(text);
  return url ? `${url.protocol}//${url.host}` : text;
}

function periodOf({ data }: Edit) {
  const period = readPeriod(data.syncPeriod);
  return data.syncPeriod === undefined || !("seconds" in period) ? {} : { syncPeriod: period.seconds };
}

/** The period as it was typed is kept beside its seconds; where there is none, it goes. */
function periodText({ metadata }: HelmRepo, event: Edit): Readonly<Record<string, string>> {
  const { [ANNOTATION.syncPeriod]: before, ...rest } = metadata.annotations ?? {};
  const { syncPeriod } = event.data;
  const text = syncPeriod === undefined ? before : periodOf(event).syncPeriod ? syncPeriod : undefined;
  return text === undefined ? rest : { ...rest, [ANNOTATION.syncPeriod]: text };
}
