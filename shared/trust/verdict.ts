import { type Condition, type ConditionInput, findCondition, setConditions } from "../conditions.ts";
import type { Evidence, Verification } from "../resources/verification.ts";

/** Type of the condition that says whether the demanded signatures hold. */
export const VERIFIED = "Verified";

/** Why something is not trusted: a CamelCase word for programs, a sentence for people. */
export interface Distrust {
  readonly reason: string;
  readonly message: string;
}

/** One kind of signature that was asked for, checked. */
export type Checked =
  | { readonly ok: true; readonly digest: string; readonly evidence: Evidence }
  | ({ readonly ok: false } & Distrust);

/** What a look at the signatures of one package came to. */
export type Verdict = Verification & ({ readonly verified: true } | ({ readonly verified: false } & Distrust));

/** When and against which demands was checked, and the digest of the package where it is known already. */
export interface Checking {
  readonly time: Date;
  readonly mark: string;
  readonly digest?: string;
}

/** All kinds that were asked for must hold, and speak of the same bytes; the first that does not is the reason. */
export function verdictOf(checks: readonly Checked[], { time, mark, digest }: Checking): Verdict {
  const at = { time: time.toISOString(), mark };
  const known = digest ?? checks.find((check) => check.ok)?.digest;
  const told = { ...at, ...(known === undefined ? {} : { digest: known }) };
  const failed = checks.find((check) => !check.ok);
  if (failed) return { ...told, evidence: [], verified: false, reason: failed.reason, message: failed.message };
  const held = checks.filter((check) => check.ok);
  const other = held.find((check) => check.digest !== known);
  if (other || known === undefined) {
    const message = `the signatures speak of ${other?.digest ?? "nothing"}, but the package is ${known ?? "not known"}`;
    return { ...told, evidence: [], verified: false, reason: "DigestMismatch", message };
  }
  return { ...at, digest: known, evidence: held.map(({ evidence }) => evidence), verified: true };
}

/** A verdict against something that is known without looking at signatures. */
export function unverified({ reason, message }: Distrust, checking: Checking): Verdict {
  return verdictOf([{ ok: false, reason, message }], checking);
}

interface Judged {
  readonly conditions?: Condition[] | undefined;
  readonly verification?: Verification | undefined;
}

/** A status with a verdict in it: the condition Verified, and the evidence beside it. */
export function withVerdict<S extends Judged>(status: S, verdict: Verdict, generation: number | undefined): S {
  const { digest, time, mark, evidence } = verdict;
  const conditions = setConditions(status.conditions, [verifiedCondition(verdict, generation)], time);
  return { ...status, verification: { ...(digest === undefined ? {} : { digest }), time, mark, evidence }, conditions };
}

/** A status that says nothing of signatures, for what nobody asks signatures of. */
export function withoutVerdict<S extends Judged>({ verification: _, ...status }: S): Omit<S, "verification"> {
  const { conditions } = status;
  if (!findCondition(conditions, VERIFIED)) return status;
  return { ...status, conditions: conditions?.filter(({ type }) => type !== VERIFIED) };
}

function verifiedCondition(verdict: Verdict, generation: number | undefined): ConditionInput {
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  if (!verdict.verified) {
    const { reason, message } = verdict;
    return { type: VERIFIED, status: "False", reason, message, ...observed };
  }
  const signers = verdict.evidence.map(({ method, signer, identity }) => `${method} by ${identity ?? "key"} ${signer}`);
  const message = `${verdict.digest} is vouched for: ${signers.join(" and ")}`;
  return { type: VERIFIED, status: "True", reason: "SignatureVerified", message, ...observed };
}
