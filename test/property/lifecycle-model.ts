import type { AcceptedRecord, RefusedRecord } from "../../shared/lifecycle/history.ts";

/** What the model knows of one version: written down anew, without a look at the code that it judges. */
interface ModelVersion {
  state: string;
  passed: string[];
  submitter: string | undefined;
}

const MOVES: Readonly<Record<string, readonly string[]>> = {
  submit: ["draft>submitted", "rejected>submitted"],
  cancel: ["submitted>draft", "passed>draft"],
  review: ["submitted>submitted"],
  pass: ["submitted>passed", "submitted>submitted"],
  reject: ["submitted>rejected"],
  release: ["passed>active"],
  suspend: ["active>suspended"],
  recover: ["suspended>active"],
  delete: ["draft>gone", "rejected>gone", "passed>gone", "suspended>gone"],
};

/** The rules of the store under test. */
export interface ModelRules {
  readonly steps: readonly string[];
  readonly separate: boolean;
}

/** The state that a version's history leads to, "" where there is none; throws where a step of it is not allowed. */
export function replay(records: readonly AcceptedRecord[], rules: ModelRules): string {
  const version: ModelVersion = { state: "", passed: [], submitter: undefined };
  for (const record of records.toSorted((a, b) => number(a) - number(b))) follow(version, record, rules);
  return version.state;
}

function follow(version: ModelVersion, record: AcceptedRecord, rules: ModelRules): void {
  const { audit, from, to, operator } = record;
  if (from !== null && from !== version.state) throw new Error(`${from} after ${version.state}`);
  if (!isMove(record)) throw new Error(`${audit?.action ?? "making"} may not lead from ${from} to ${to}`);
  version.state = to ?? "gone";
  if (audit?.action === "submit") Object.assign(version, { passed: [], submitter: operator });
  if (audit?.action === "pass" && audit.step !== "admin") pass(version, record, rules);
}

function isMove(record: AcceptedRecord): boolean {
  const { action } = record.audit ?? {};
  const move = `${record.from ?? ""}>${record.to ?? "gone"}`;
  if (action === undefined) return move === ">draft" && number(record) === 1;
  // Whoever may delete objects with kubectl may delete any.
  if (action === "delete" && record.operator === undefined) return true;
  return MOVES[action]?.includes(move) ?? false;
}

function pass(
  version: ModelVersion,
  { audit, to, operator = "" }: AcceptedRecord,
  { steps, separate }: ModelRules,
): void {
  if (audit?.step !== steps[version.passed.length]) throw new Error(`${audit?.step} is not due`);
  const same = operator === version.submitter || version.passed.includes(operator);
  if (separate && same) throw new Error(`${operator} may not pass ${audit?.step}`);
  version.passed.push(operator);
  const done = version.passed.length === steps.length;
  if (done !== (to === "passed")) throw new Error(`passed to ${to} after ${version.passed.length} steps`);
}

/** Whether a refusal was right: the act does not lead anywhere from the state that the version was in. */
export function rightlyRefused({ action, state, reason }: RefusedRecord): boolean {
  if (reason !== "IllegalTransition") return true;
  return !MOVES[action]?.some((move) => move.startsWith(`${state}>`));
}

/** The state of an application with versions in these states (KubeSphere §2.7). */
export function appState(states: readonly string[]): string {
  if (states.includes("active")) return "active";
  return states.some((state) => state !== "draft") && states.includes("suspended") ? "suspended" : "draft";
}

function number({ audit }: Pick<AcceptedRecord, "audit">): number {
  return audit?.sequence ?? 0;
}
