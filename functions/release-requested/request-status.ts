import { type ConditionInput, setConditions } from "../../shared/conditions.ts";
import { replaceStatus, type Write } from "../../shared/decision.ts";
import type { ObjectMeta } from "../../shared/resource.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";

/** What a request came to. */
export interface RequestOutcome {
  readonly state: "Accepted" | "Failed" | "NeedsChoice";
  readonly reason?: string;
  readonly message?: string;
  readonly candidates?: readonly string[];
  readonly release?: ObjectMeta;
  readonly now: Date;
}

/** Writes the status of a request, unless it already says the same of this generation. */
export function requestStatus(request: HelmRequest, outcome: RequestOutcome): readonly Write<"HelmRequest">[] {
  const { state, message = "", candidates, release, now } = outcome;
  const before = request.status;
  const generation = request.metadata.generation;
  if (before?.state === state && before.message === message && before.observedGeneration === generation) return [];
  const conditions = setConditions(before?.conditions, conditionsOf(outcome, generation), now.toISOString());
  const kept = before?.release === undefined ? {} : { release: before.release };
  const target =
    release?.namespace === undefined ? kept : { release: { namespace: release.namespace, name: release.name } };
  return [
    replaceStatus(HelmRequest, request, {
      state,
      message,
      conditions,
      ...target,
      ...(candidates === undefined ? {} : { candidates: [...candidates] }),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    }),
  ];
}

function conditionsOf(
  { state, reason = state, message = "" }: RequestOutcome,
  generation = 0,
): readonly ConditionInput[] {
  const accepted = state === "Accepted";
  return [
    {
      type: "Ready",
      status: accepted ? "True" : "False",
      reason,
      message: accepted ? "the release was made; its own conditions tell how it is" : message,
      observedGeneration: generation,
    },
    {
      type: "Stalled",
      status: accepted ? "False" : "True",
      reason,
      message: accepted ? "nothing is in the way" : message,
      observedGeneration: generation,
    },
  ];
}
