import * as z from "zod";
import { Timestamp } from "./resource.ts";

/** One Kubernetes status condition; `Ready`, `Reconciling` and `Stalled` follow kstatus. */
export const Condition = z.object({
  type: z.string().max(316).describe("Ready, Reconciling, Stalled or a more specific aspect."),
  status: z.enum(["True", "False", "Unknown"]).describe("Whether the condition holds."),
  reason: z.string().max(1024).describe("One CamelCase word for programs."),
  message: z.string().max(32768).describe("One sentence for people: what, which object, what to do next."),
  lastTransitionTime: Timestamp.describe("When status last changed."),
  observedGeneration: z.int().optional().describe("metadata.generation that this condition speaks of."),
});
export type Condition = z.output<typeof Condition>;

/** The list of conditions of a status, keyed by type. */
export const Conditions = z
  .array(Condition)
  .max(32)
  .optional()
  .describe("Conditions in the sense of Kubernetes; Ready sums them up.")
  .meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] });

/** What decides a condition; the transition time follows from what was there before. */
export type ConditionInput = Omit<Condition, "lastTransitionTime">;

/** Sets conditions by type; `lastTransitionTime` moves only when the status of a condition changes. */
export function setConditions(
  before: readonly Condition[] | undefined,
  inputs: readonly ConditionInput[],
  now: string,
): Condition[] {
  const result = new Map((before ?? []).map((condition) => [condition.type, condition]));
  for (const input of inputs) {
    const old = result.get(input.type);
    const lastTransitionTime = old?.status === input.status ? old.lastTransitionTime : now;
    result.set(input.type, { ...input, message: clip(input.message), lastTransitionTime });
  }
  return [...result.values()];
}

/** The condition of that type, if present. */
export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

function clip(message: string): string {
  return message.length <= 1024 ? message : `${message.slice(0, 1023)}…`;
}
