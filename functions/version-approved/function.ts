import { VersionActionRefused, VersionApproved, VersionStateChanged } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { act } from "../../shared/lifecycle/act.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";

/** A submitted version passes its review. */
export default defineFunction({
  on: VersionApproved,
  summary: "Moves a version from submitted to passed.",
  emits: [VersionStateChanged, VersionActionRefused],
  reads: [HelmApplicationVersion],
  writes: [HelmApplicationVersion],
  uses: ["clock"],
  timeoutMs: 20_000,
  gather: async (event, { kube, clock }) => ({
    version: await kube.get(HelmApplicationVersion, event.data.version),
    now: clock.now(),
  }),
  decide: (world, event) => act("pass", world, event),
});
