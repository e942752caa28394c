import { withoutUserInfo } from "../../shared/charts/user-info.ts";
import { sha256 } from "../../shared/digest.ts";
import { seal } from "../../shared/envelope.ts";
import type { DataOf } from "../../shared/event.ts";
import { RepoAdded, type RepoChanged, RepoDeleted, RepoEdited } from "../../shared/events/repo.ts";
import { readPeriod, repoUrlProblem } from "../../shared/lifecycle/repo-act.ts";
import { present } from "../../shared/present.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { answered, RestError, SUCCESS } from "../../shared/rest/answers.ts";
import { act } from "./acts.ts";
import { bodyOf, type Call, type Handler, isOn, param, textField } from "./call.ts";
import { type Credential, checkIndex, credentialIn } from "./repo-check.ts";
import { repoInPath } from "./repos.ts";

type Body = Readonly<Record<string, unknown>>;

/** Adds a repository whose index can be read with what is given; `?validate=true` only looks (§3.7). */
export const createRepo: Handler = async (call) => {
  const body = await bodyOf(call);
  const url = textField(body, "url") ?? "";
  const credential = credentialIn(url, textField(body, "credential"));
  const wish = wishOf(body, url);
  await checkIndex(call, withoutUserInfo(url), credential);
  if (isOn(call, "validate")) return answered({ ok: true });
  const name = textField(body, "name") ?? "";
  if (name.trim() === "") throw new RestError(400, "repo name is empty");
  const { workspace } = call.params;
  const data = {
    ...wish,
    url: withoutUserInfo(url),
    name,
    ...present({ workspace }),
    ...(await sealed(call, credential)),
  };
  const outcome = await act(call, RepoAdded.of(subjectOf(HelmRepo, { name }), data));
  return answered({ repo_id: (outcome.data as DataOf<typeof RepoChanged>).repo });
};

/** Edits a repository; another address, or other credentials, are tried before they are taken. */
export const modifyRepo: Handler = async (call) => {
  const body = await bodyOf(call);
  const repo = await repoInPath(call);
  const url = textField(body, "url") || undefined;
  const credential = credentialIn(url ?? repo.spec.url, textField(body, "credential"));
  const wish = wishOf(body, url ?? repo.spec.url);
  const address = withoutUserInfo(url ?? repo.spec.url);
  // Credentials that are kept are in a Secret, which the gateway does not read: the next sync tries them.
  const isTried = credential !== undefined || (address !== repo.spec.url && repo.spec.secretRef === undefined);
  if (isTried) await checkIndex(call, address, credential);
  const name = textField(body, "name");
  const given = present({ name, url: url === undefined ? undefined : address });
  const data = { repo: repo.metadata.name, ...wish, ...given, ...(await sealed(call, credential)) };
  await act(call, RepoEdited.of(subjectOf(HelmRepo, repo.metadata), data)).catch(asModify);
  return answered(SUCCESS);
};

/** Deletes a repository with its applications; one that is gone counts as deleted. */
export const deleteRepo: Handler = async (call) => {
  const name = param(call, "repo");
  if (!(await call.ports.kube.get(HelmRepo, name))) return answered(SUCCESS);
  await repoInPath(call);
  await act(call, RepoDeleted.of(subjectOf(HelmRepo, { name }), { repo: name }));
  return answered(SUCCESS);
};

/** What is wrong with the words is told before anything is fetched. */
function wishOf(body: Body, url: string) {
  const syncPeriod = textField(body, "sync_period");
  const period = readPeriod(syncPeriod);
  const problem = repoUrlProblem(withoutUserInfo(url)) ?? ("why" in period ? period : undefined);
  if (problem) throw new RestError(400, problem.why);
  return present({ syncPeriod, description: textField(body, "description") });
}

/** Credentials go by the object store, sealed; the event carries what opens them, and neither is of use alone. */
async function sealed({ ports }: Call, credential: Credential | undefined) {
  if (!credential) return {};
  const { bytes, key } = seal(JSON.stringify(credential));
  const envelope = sha256(bytes);
  await ports.blobs.put("envelopes", envelope, bytes);
  return { credential: { envelope, key } };
}

/** All refusals of an edit but 404 and 409 are 400 (§6.4). */
function asModify(error: unknown): never {
  if (error instanceof RestError && error.status === 500) throw new RestError(400, error.message);
  throw error;
}
