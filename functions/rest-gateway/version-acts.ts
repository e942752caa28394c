import {
  VersionApproved,
  VersionCancelled,
  VersionDeleted,
  VersionRecovered,
  VersionRejected,
  VersionReleased,
  VersionReviewStarted,
  VersionSubmitted,
  VersionSuspended,
} from "../../shared/events/version.ts";
import { permitted, verbsOf } from "../../shared/lifecycle/permissions.ts";
import { type Action, ReviewStep } from "../../shared/lifecycle/states.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { answered, RestError, SUCCESS } from "../../shared/rest/answers.ts";
import { act } from "./acts.ts";
import { bodyOf, type Call, type Handler, param, textField } from "./call.ts";
import { versionInPath, workspaceOfNamed } from "./lookups.ts";

const ACTION_EVENT = {
  submit: VersionSubmitted,
  cancel: VersionCancelled,
  review: VersionReviewStarted,
  pass: VersionApproved,
  reject: VersionRejected,
  release: VersionReleased,
  suspend: VersionSuspended,
  recover: VersionRecovered,
} as const;

/** Moves a version: the body says how, and the right to do just that is asked of Kubernetes (§2.1). */
export const actOnVersion: Handler = async (call) => {
  const body = await bodyOf(call);
  const action = actionOf(textField(body, "action"));
  const step = stepOf(textField(body, "step"));
  await demand(call, { action, step });
  const version = await versionInPath(call);
  const message = textField(body, "message");
  const said = {
    immediate: true,
    ...(message === undefined ? {} : { message }),
    ...(step === undefined ? {} : { step }),
  };
  const { name } = version.metadata;
  await act(call, ACTION_EVENT[action].of(subjectOf(HelmApplicationVersion, { name }), { version: name, ...said }));
  return answered(SUCCESS);
};

/** Deletes a version that is not in the store; one that is gone already counts as deleted (§6.4). */
export const deleteVersion: Handler = async (call) => {
  const name = param(call, "version");
  if (!(await call.ports.kube.get(HelmApplicationVersion, name))) return answered(SUCCESS);
  await versionInPath(call);
  await act(call, VersionDeleted.of(subjectOf(HelmApplicationVersion, { name }), { version: name, immediate: true }));
  return answered(SUCCESS);
};

type Acting = keyof typeof ACTION_EVENT;

function actionOf(text: string | undefined): Acting {
  if (text !== undefined && text in ACTION_EVENT) return text as Acting;
  throw new RestError(500, "action not support");
}

function stepOf(text: string | undefined): ReviewStep | undefined {
  if (text === undefined || text === "") return undefined;
  const step = ReviewStep.safeParse(text);
  if (step.success) return step.data;
  throw new RestError(400, `step ${text} is none of ${ReviewStep.options.join(", ")}`);
}

interface Deed {
  readonly action: Action;
  readonly step: ReviewStep | undefined;
}

/** Asked before anything is said of the version, so that nobody learns which ones there are in other workspaces. */
async function demand(call: Call, { action, step }: Deed): Promise<void> {
  const { ports, user, params } = call;
  const name = param(call, "version");
  const workspace = params["workspace"] ?? (await workspaceOfNamed(call));
  const wish = { verbs: verbsOf(action, step), resource: "apps/versions", name, workspace };
  const permission = await permitted(ports.access, user, wish);
  if (!permission.allowed) throw new RestError(403, permission.message);
}
