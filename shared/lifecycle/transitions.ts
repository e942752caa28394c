import { type Action, VersionState } from "./states.ts";

/** One legal move: from any of these states to that one; `null` means the version is gone. */
export interface Transition {
  readonly action: Action;
  readonly from: readonly VersionState[];
  readonly to: VersionState | null;
}

/** The one table of the lifecycle, from which functions, CEL rules, REST answers and documents derive. */
export const TRANSITIONS: readonly Transition[] = [
  { action: "submit", from: ["draft", "rejected"], to: "submitted" },
  { action: "cancel", from: ["submitted", "passed"], to: "draft" },
  { action: "review", from: ["submitted"], to: "submitted" },
  { action: "pass", from: ["submitted"], to: "passed" },
  { action: "reject", from: ["submitted"], to: "rejected" },
  { action: "release", from: ["passed"], to: "active" },
  { action: "suspend", from: ["active"], to: "suspended" },
  { action: "recover", from: ["suspended"], to: "active" },
  { action: "delete", from: ["draft", "rejected", "passed", "suspended"], to: null },
];

/** The verb that a person needs for an action, so that a role can review without releasing. */
export const VERSION_VERB: Readonly<Record<Action, string>> = {
  submit: "submit",
  cancel: "submit",
  review: "review",
  pass: "review",
  reject: "review",
  release: "release",
  suspend: "suspend",
  recover: "suspend",
  delete: "delete",
};

/** The row of the table for an action. */
export function transitionOf(action: Action): Transition {
  const transition = TRANSITIONS.find((row) => row.action === action);
  if (!transition) throw new Error(`no transition is declared for action ${action}`);
  return transition;
}

/** Where the action leads from that state; `undefined` where it is not legal. */
export function nextState(action: Action, state: VersionState): VersionState | null | undefined {
  const { from, to } = transitionOf(action);
  return from.includes(state) ? to : undefined;
}

/** How far a version has come on its way into the store; a rejected one starts over. */
const PROGRESS: Readonly<Record<VersionState, number>> = {
  draft: 0,
  rejected: 0,
  submitted: 1,
  passed: 2,
  active: 3,
  suspended: 4,
};

/** Whether the action may yet become legal because an act that leads there can still arrive. */
export function isEarly(action: Action, state: VersionState): boolean {
  const { from } = transitionOf(action);
  return from.every((legal) => PROGRESS[state] < PROGRESS[legal]);
}

/** CEL over `self` and `oldSelf` (two statuses) that holds for exactly the moves of the table, and for no move at all. */
export function transitionRule(): string {
  const legalFrom = (state: VersionState) =>
    TRANSITIONS.filter(({ from, to }) => to !== null && from.includes(state)).map(({ to }) => `'${to}'`);
  const moves = VersionState.options.map(
    (state) => `oldSelf.state == '${state}' && self.state in [${legalFrom(state).join(", ")}]`,
  );
  const unset = "!has(oldSelf.state) || oldSelf.state == ''";
  return [unset, "has(self.state) && (self.state == oldSelf.state", ...moves].join(" || ").concat(")");
}

/** CEL has a use of its own for the word `package`, so Kubernetes writes the field so. */
const PACKAGE = "__package__";

const STATELESS = (self: string) =>
  `(!has(${self}.status) || !has(${self}.status.state) || ${self}.status.state == '')`;

/**
 * CEL over a version and its older self: a version with a package of the store starts before its review. Others are
 * listed by a repository, or were moved in from KubeSphere with the state they had.
 */
export function firstStateRule(): string {
  const early = "self.status.state in ['draft', 'submitted']";
  return `!${STATELESS("oldSelf")} || ${STATELESS("self")} || ${early} || !has(self.spec.${PACKAGE})`;
}

/** CEL over a version and its older self: what is under review, or was, keeps its package and what it is offered as. */
export function packageRule(): string {
  const same = [PACKAGE, "digest", "name", "version"].map((field) => {
    const [now, before] = [`self.spec.${field}`, `oldSelf.spec.${field}`];
    return `has(${now}) == has(${before}) && (!has(${now}) || ${now} == ${before})`;
  });
  const without = `!has(self.spec.${PACKAGE}) && !has(oldSelf.spec.${PACKAGE})`;
  const free = `oldSelf.status.state in ['draft', 'rejected']`;
  return [STATELESS("oldSelf"), free, without, same.join(" && ")].join(" || ");
}
