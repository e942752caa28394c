import type { HttpFunction } from "../../shared/http-function.ts";
import type { FunctionIdentity } from "../../shared/run.ts";

/** A function of either kind, as far as its Service and account follow from it. */
export interface Deployed {
  readonly name: string;
  readonly visibility: HttpFunction["visibility"];
  readonly function: Pick<FunctionIdentity["function"], "reads" | "writes" | "uses" | "timeoutMs" | "concurrency"> & {
    readonly cached?: HttpFunction["cached"];
  };
}

/** All functions that run on Knative: those of events answer only their Triggers. */
export function deployed(
  functions: readonly FunctionIdentity[],
  httpFunctions: readonly HttpFunction[],
): readonly Deployed[] {
  return [
    ...functions.map((each) => ({ ...each, visibility: "cluster-local" as const })),
    ...httpFunctions.map((each) => ({ name: each.name, visibility: each.visibility, function: each })),
  ];
}
