import { label } from "../../shared/decision.ts";
import { VersionReleased } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { type ActDecision, act } from "../../shared/lifecycle/act.ts";
import { ACT_FUNCTION } from "../../shared/lifecycle/act-function.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { LABEL, STORE_REPO } from "../../shared/resources/labels.ts";

/** A passed version enters the store. */
export default defineFunction({
  ...ACT_FUNCTION,
  on: VersionReleased,
  summary: "Moves a version from passed to active and labels it as the store's.",
  decide: (world, event) => labelled(act("release", world, event), world.version),
});

/** 3.4 clients find the store's versions by this label (KubeSphere §1.6). */
function labelled(decision: ActDecision, version: HelmApplicationVersion | undefined): ActDecision {
  if (decision.outcome !== "change" || !version || version.metadata.labels?.[LABEL.repoId] === STORE_REPO)
    return decision;
  const write = [...(decision.write ?? []), label(HelmApplicationVersion, version, { [LABEL.repoId]: STORE_REPO })];
  return { ...decision, write };
}
