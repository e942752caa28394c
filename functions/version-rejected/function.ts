import { VersionActionRefused, VersionRejected, VersionStateChanged } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { act } from "../../shared/lifecycle/act.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";

/** A submitted version is turned down. */
export default defineFunction({
  on: VersionRejected,
  summary: "Moves a version from submitted to rejected.",
  emits: [VersionStateChanged, VersionActionRefused],
  reads: [HelmApplicationVersion],
  writes: [HelmApplicationVersion],
  uses: ["clock"],
  timeoutMs: 20_000,
  gather: async (event, { kube, clock }) => ({
    version: await kube.get(HelmApplicationVersion, event.data.version),
    now: clock.now(),
  }),
  decide: (world, event) => act("reject", world, event),
});
