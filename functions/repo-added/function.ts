import { id36, repoId } from "../../shared/charts/ids.ts";
import { apply, change, create, last, type Write } from "../../shared/decision.ts";
import type { EventOf } from "../../shared/event.ts";
import { RepoActionRefused, RepoAdded, RepoChanged } from "../../shared/events/repo.ts";
import { defineFunction } from "../../shared/function.ts";
import { isDone, isNewest, remembering } from "../../shared/lifecycle/remembered-acts.ts";
import {
  type Credential,
  credentialSecret,
  neighboursIn,
  openCredential,
  type RepoDecision,
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

type Added = EventOf<typeof RepoAdded>;

/** What is decided on. */
interface World {
  readonly repos: readonly HelmRepo[];
  readonly credential: Credential;
}

/** A workspace gets a repository, its credentials in a Secret; the change of the object begins its first sync. */
export default defineFunction({
  on: RepoAdded,
  summary: "Adds a repository to a workspace, with a Secret for its credentials.",
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
    const { workspace = "", url, syncPeriod, credential: sealed } = event.data;
    const forget = spentEnvelope(sealed);
    const made = repos.find((repo) => isDone(repo, event));
    if (made) return change({ ...completed(made, credential, event), forget });
    const name = event.data.name.trim();
    const repo = idOf(name, repos, event);
    const period = readPeriod(syncPeriod);
    const problem =
      repoNameProblem(name, neighboursIn(workspace, repos)) ??
      repoUrlProblem(url) ??
      ("why" in period ? period : undefined) ??
      (credential === "lost" ? LOST : undefined);
    if (problem) return { ...refuseRepo(event, { repo, action: "add", ...problem }), forget };
    const seconds = "seconds" in period ? period.seconds : 0;
    const object = objectOf({ repo, name, seconds, sealed: credential !== undefined }, event);
    const write = writesOf(repo, object, credential === "lost" ? undefined : credential);
    return change({ write, announce: [repoChanged(repo, name)], forget });
  },
});

/** It may have died before the Secret had its owner. */
function completed(made: HelmRepo, credential: Credential, event: Added) {
  const { name } = made.metadata;
  const unowned = credential !== undefined && credential !== "lost" && isNewest(made, event);
  const write = unowned ? [apply(Secret, secretOf(name, credential), { kind: HelmRepo, name })] : [];
  return { write, announce: [repoChanged(name, made.spec.name)] };
}

const LOST = { reason: "CredentialLost", why: "the credentials cannot be read any more; add the repository again" };

/** A repository that was renamed keeps the id that follows from its old name. */
function idOf(name: string, repos: readonly HelmRepo[], { id, data: { workspace = "" } }: Added): string {
  const first = repoId(workspace, name);
  return repos.some(({ metadata }) => metadata.name === first) ? repoId(workspace, id36(name, id)) : first;
}

interface Wanted {
  readonly repo: string;
  readonly name: string;
  readonly seconds: number;
  readonly sealed: boolean;
}

function objectOf({ repo, name, seconds, sealed }: Wanted, event: Added): Omit<HelmRepo, "apiVersion" | "kind"> {
  const { workspace, url, description, syncPeriod } = event.data;
  const annotations = {
    ...(event.operator === undefined ? {} : { [ANNOTATION.creator]: event.operator }),
    ...(seconds > 0 && syncPeriod !== undefined ? { [ANNOTATION.syncPeriod]: syncPeriod } : {}),
  };
  return {
    metadata: {
      name: repo,
      annotations: remembering({ annotations }, event),
      ...(workspace ? { labels: { [LABEL.workspace]: workspace } } : {}),
    },
    spec: {
      name,
      url,
      syncPeriod: seconds,
      ...(description === undefined ? {} : { description: cutText(description) }),
      ...(sealed ? { secretRef: credentialSecret(repo) } : {}),
    },
  };
}

/** The Secret is there before the repository, whose first sync needs it, and belongs to it afterwards. */
function writesOf(
  repo: string,
  object: Omit<HelmRepo, "apiVersion" | "kind">,
  credential: Readonly<Record<string, string>> | undefined,
): readonly Write<"HelmRepo" | "Secret">[] {
  if (!credential) return [create(HelmRepo, object)];
  const secret = secretOf(repo, credential);
  const owned = apply(Secret, secret, { kind: HelmRepo, name: repo });
  return [apply(Secret, secret), last(create(HelmRepo, object)), last(owned)];
}
