import { type ConditionInput, findCondition } from "../conditions.ts";
import type { Event } from "../event.ts";
import type { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import type { Action, ReviewStep, VersionState } from "./states.ts";
import type { StoreSettings } from "./store-settings.ts";

type Review = NonNullable<NonNullable<HelmApplicationVersion["status"]>["review"]>;
type Phase = Review["phases"][number];

/** An act of a review: who does what, and when. */
export interface ReviewAct {
  readonly action: Action;
  readonly event: Event<{ readonly step?: ReviewStep | undefined; readonly message?: string | undefined }>;
  readonly time: string;
}

/** Where the review stands after an act, or why the act is refused. */
export type ReviewMove =
  | { readonly ok: true; readonly state: VersionState; readonly review?: Review; readonly step?: ReviewStep }
  | { readonly ok: false; readonly reason: string; readonly why: string };

/** Condition that says who is looking at a submitted version. */
const IN_REVIEW = "InReview";

/** A review that begins: nothing is left of the one before. */
export function submission({ event, time }: ReviewAct): ReviewMove {
  const submitter = event.operator === undefined ? {} : { submitter: event.operator };
  return { ok: true, state: "submitted", review: { submission: event.id, ...submitter, time, phases: [] } };
}

/**
 * Takes, passes or rejects a step. Each step must have passed before the next is touched, which OpenPitrix meant to
 * ask for; the last one passes the version, and so does the administrator's shortcut at any time.
 */
export function reviewMove(version: HelmApplicationVersion, act: ReviewAct, settings: StoreSettings): ReviewMove {
  const review = version.status?.review ?? { submission: "", time: act.time, phases: [] };
  const left = settings.reviewSteps.find((step) => phaseOf(review, step)?.state !== "passed");
  // Nothing is left where a store has dropped steps since: then the last one is said again.
  const due = left ?? settings.reviewSteps.at(-1) ?? "review";
  const step = act.event.data.step ?? due;
  const refused = refusal({ name: version.metadata.name, review, due, step }, act, settings);
  if (refused) return refused;
  const phase = phaseAfter(step, act);
  const others = review.phases.filter((each) => each.step !== step);
  const after = { ...review, phases: [...others, phase] };
  return { ok: true, state: stateAfter(step, act.action, settings), review: after, step };
}

/** The condition by which everybody sees whether a submitted version is being looked at. */
export function inReviewCondition(
  { status }: HelmApplicationVersion,
  state: VersionState,
  review: Review | undefined,
): readonly ConditionInput[] {
  const taken = state === "submitted" ? review?.phases.find((phase) => phase.state === "in-review") : undefined;
  if (!taken && !findCondition(status?.conditions, IN_REVIEW)) return [];
  if (!taken) return [{ type: IN_REVIEW, status: "False", reason: "NotInReview", message: `the version is ${state}` }];
  const message = `${taken.reviewer ?? "somebody"} is looking at it (step ${taken.step})`;
  return [{ type: IN_REVIEW, status: "True", reason: "Reviewing", message }];
}

interface Turn {
  readonly name: string;
  readonly review: Review;
  readonly due: ReviewStep;
  readonly step: ReviewStep;
}

function refusal(turn: Turn, { action, event }: ReviewAct, settings: StoreSettings): ReviewMove | undefined {
  const { name, review, due, step } = turn;
  if (step === "admin" && action !== "review") return undefined;
  if (!settings.reviewSteps.includes(step)) {
    const why = `version ${name} has no review step ${step}; this store reviews in ${settings.reviewSteps.join(", ")}`;
    return { ok: false, reason: "UnknownStep", why };
  }
  if (step !== due) {
    return {
      ok: false,
      reason: "OutOfTurn",
      why: `version ${name} waits for step ${due}; ${action} ${step} comes after`,
    };
  }
  const taken = phaseOf(review, step);
  if (action === "review" && taken?.state === "in-review" && taken.reviewer !== event.operator) {
    const why = `step ${step} of version ${name} is being reviewed by ${taken.reviewer ?? "somebody"} since ${taken.time}`;
    return { ok: false, reason: "InReview", why };
  }
  return settings.separateReviewers ? samePerson(turn, event.operator) : undefined;
}

function samePerson({ name, review, step }: Turn, operator: string | undefined): ReviewMove | undefined {
  if (operator === undefined) {
    return {
      ok: false,
      reason: "OperatorUnknown",
      why: `step ${step} of version ${name} needs a known reviewer; sign in`,
    };
  }
  const before = review.phases.find(
    (phase) => phase.state === "passed" && phase.reviewer === operator && phase.step !== step,
  );
  const did = review.submitter === operator ? "submitted it" : before && `passed step ${before.step}`;
  if (!did) return undefined;
  return {
    ok: false,
    reason: "SamePerson",
    why: `${operator} ${did}; step ${step} of version ${name} needs somebody else`,
  };
}

function phaseOf({ phases }: Review, step: ReviewStep): Phase | undefined {
  return phases.find((phase) => phase.step === step);
}

const PHASE_STATE = { review: "in-review", pass: "passed", reject: "rejected" } as const;

function phaseAfter(step: ReviewStep, { action, event, time }: ReviewAct): Phase {
  const { operator, data } = event;
  return {
    step,
    state: PHASE_STATE[action as keyof typeof PHASE_STATE],
    ...(operator === undefined ? {} : { reviewer: operator }),
    time,
    ...(data.message === undefined ? {} : { message: data.message }),
  };
}

function stateAfter(step: ReviewStep, action: Action, { reviewSteps }: StoreSettings): VersionState {
  if (action === "reject") return "rejected";
  if (action === "review") return "submitted";
  return step === "admin" || step === reviewSteps.at(-1) ? "passed" : "submitted";
}
