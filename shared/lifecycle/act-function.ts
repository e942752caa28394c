import type { Event } from "../event.ts";
import { VersionActionRefused, VersionStateChanged } from "../events/version.ts";
import type { Ports } from "../function.ts";
import { ConfigMap } from "../resources/core.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import type { ActData, ActWorld } from "./act.ts";
import { readStoreSettings, STORE_SETTINGS } from "./store-settings.ts";

/** What every function that carries out an act on a version declares; `on`, `summary` and `decide` are its own. */
export const ACT_FUNCTION = {
  emits: [VersionStateChanged, VersionActionRefused],
  reads: [HelmApplicationVersion],
  writes: [HelmApplicationVersion],
  uses: ["clock"],
  timeoutMs: 20_000,
  gather: async (event: Event<ActData>, { kube, clock }: Ports<typeof HelmApplicationVersion, "clock">) => {
    const version = await kube.get(HelmApplicationVersion, event.data.version);
    return { version, settings: readStoreSettings(undefined), now: clock.now() } satisfies ActWorld;
  },
} as const;

/** The same for acts of a review, which go by the store's settings. */
export const REVIEW_FUNCTION = {
  ...ACT_FUNCTION,
  reads: [HelmApplicationVersion, ConfigMap],
  gather: async (
    event: Event<ActData>,
    { kube, clock }: Ports<typeof HelmApplicationVersion | typeof ConfigMap, "clock">,
  ): Promise<ActWorld> => {
    const [version, settings] = await Promise.all([
      kube.get(HelmApplicationVersion, event.data.version),
      kube.get(ConfigMap, STORE_SETTINGS),
    ]);
    return { version, settings: readStoreSettings(settings), now: clock.now() };
  },
} as const;
