import { VersionActionRefused, VersionStateChanged, VersionSubmitted } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { act } from "../../shared/lifecycle/act.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";

/** A draft or rejected version goes to the reviewers. */
export default defineFunction({
  on: VersionSubmitted,
  summary: "Moves a version from draft or rejected to submitted.",
  emits: [VersionStateChanged, VersionActionRefused],
  reads: [HelmApplicationVersion],
  writes: [HelmApplicationVersion],
  uses: ["clock"],
  timeoutMs: 20_000,
  gather: async (event, { kube, clock }) => ({
    version: await kube.get(HelmApplicationVersion, event.data.version),
    now: clock.now(),
  }),
  decide: (world, event) => act("submit", world, event),
});
