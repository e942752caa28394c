import type { Event } from "../event.ts";
import { VersionActionRefused, VersionStateChanged } from "../events/version.ts";
import type { Ports } from "../function.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import type { ActData, ActWorld } from "./act.ts";

/** What every function that carries out an act on a version declares; `on`, `summary` and `decide` are its own. */
export const ACT_FUNCTION = {
  emits: [VersionStateChanged, VersionActionRefused],
  reads: [HelmApplicationVersion],
  writes: [HelmApplicationVersion],
  uses: ["clock"],
  timeoutMs: 20_000,
  gather,
} as const;

async function gather(
  event: Event<ActData>,
  { kube, clock }: Ports<typeof HelmApplicationVersion, "clock">,
): Promise<ActWorld> {
  return { version: await kube.get(HelmApplicationVersion, event.data.version), now: clock.now() };
}
