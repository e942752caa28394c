import { SYSTEM_NAMESPACE } from "../origin.ts";
import type { ConfigMap } from "../resources/core.ts";
import type { ReviewStep } from "./states.ts";

/** The ConfigMap in which a store says how it reviews; a store without it reviews in one step. */
export const STORE_SETTINGS = { name: "store-settings", namespace: SYSTEM_NAMESPACE };

/** How a store reviews. */
export interface StoreSettings {
  /** Steps that must pass one after the other. */
  readonly reviewSteps: readonly ReviewStep[];
  /** Whether each step needs another person, none of them the submitter. */
  readonly separateReviewers: boolean;
}

/** The settings, or what is wrong with them: then nothing is reviewed, lest a typing error should open the store. */
export type ReadSettings =
  | { readonly ok: true; readonly settings: StoreSettings }
  | { readonly ok: false; readonly message: string };

const STEPS: readonly string[] = ["isv", "business", "technical"] satisfies ReviewStep[];

/**
 * Reads `data.reviewSteps` (steps of isv, business, technical, separated by commas, in that order) and
 * `data.separateReviewers` (`true` or `false`).
 */
export function readStoreSettings(found: ConfigMap | undefined): ReadSettings {
  const { reviewSteps = "", separateReviewers = "false" } = found?.data ?? {};
  const steps = reviewSteps
    .split(",")
    .map((step) => step.trim())
    .filter((step) => step !== "");
  const where = `ConfigMap ${STORE_SETTINGS.namespace}/${STORE_SETTINGS.name}`;
  const places = steps.map((step) => STEPS.indexOf(step));
  if (places.some((place, index) => place <= (places[index - 1] ?? -1))) {
    return {
      ok: false,
      message: `${where}: reviewSteps is "${reviewSteps}"; name steps of ${STEPS.join(", ")}, in that order`,
    };
  }
  if (separateReviewers !== "true" && separateReviewers !== "false") {
    return { ok: false, message: `${where}: separateReviewers is "${separateReviewers}"; set it to true or false` };
  }
  const named = steps.length === 0 ? ["review"] : steps;
  return {
    ok: true,
    settings: { reviewSteps: named as readonly ReviewStep[], separateReviewers: separateReviewers === "true" },
  };
}

/** Whether everybody may read what the store offers: `data.publicRepository`, open unless it says anything but `true`. */
export function isPublic(found: ConfigMap | undefined): boolean {
  return (found?.data?.["publicRepository"] ?? "true") === "true";
}
