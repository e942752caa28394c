import { type Decision, label } from "../../shared/decision.ts";
import { VersionActionRefused, VersionReleased, VersionStateChanged } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { act } from "../../shared/lifecycle/act.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { LABEL, STORE_REPO } from "../../shared/resources/labels.ts";

/** A passed version enters the store. */
export default defineFunction({
  on: VersionReleased,
  summary: "Moves a version from passed to active and labels it as the store's.",
  emits: [VersionStateChanged, VersionActionRefused],
  reads: [HelmApplicationVersion],
  writes: [HelmApplicationVersion],
  uses: ["clock"],
  timeoutMs: 20_000,
  gather: async (event, { kube, clock }) => ({
    version: await kube.get(HelmApplicationVersion, event.data.version),
    now: clock.now(),
  }),
  decide: (world, event) => labelled(act("release", world, event), world.version),
});

type ReleaseDecision = Decision<
  typeof VersionStateChanged.type | typeof VersionActionRefused.type,
  "HelmApplicationVersion"
>;

/** 3.4 clients find the store's versions by this label (KubeSphere §1.6). */
function labelled(decision: ReleaseDecision, version: HelmApplicationVersion | undefined): ReleaseDecision {
  if (decision.outcome !== "change" || !version || version.metadata.labels?.[LABEL.repoId] === STORE_REPO)
    return decision;
  const write = [...(decision.write ?? []), label(HelmApplicationVersion, version, { [LABEL.repoId]: STORE_REPO })];
  return { ...decision, write };
}
