import { change, type Decision, refuse, replaceStatus, wait } from "../../shared/decision.ts";
import {
  ReleaseChanged,
  ReleaseCheckTick,
  ReleaseFailed,
  ReleaseReady,
  ReleaseRequested,
} from "../../shared/events/release.ts";
import { defineFunction } from "../../shared/function.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";
import { judge, type Verdict } from "./judge.ts";
import { overdue } from "./overdue.ts";
import { factOf, verdictStatus } from "./status.ts";

type Emitted =
  | typeof ReleaseReady.type
  | typeof ReleaseFailed.type
  | typeof ReleaseChanged.type
  | typeof ReleaseRequested.type
  | typeof ReleaseCheckTick.type;

type World =
  | {
      readonly scope: "all";
      readonly releases: readonly HelmRelease[];
      readonly requests: readonly HelmRequest[];
      readonly now: Date;
    }
  | {
      readonly scope: "one";
      readonly release: HelmRelease | undefined;
      readonly verdict: Verdict | undefined;
      readonly now: Date;
    };

/** Looks how installed releases are: a cron tick asks for all that are unfinished, a named tick judges one. */
export default defineFunction({
  on: ReleaseCheckTick,
  summary: "Tells when a release became ready or failed, and finds requests and releases whose event was lost.",
  emits: [ReleaseReady, ReleaseFailed, ReleaseChanged, ReleaseRequested, ReleaseCheckTick],
  reads: [HelmRelease, HelmRequest],
  writes: [HelmRelease],
  uses: ["clock", "helm"],
  timeoutMs: 60_000,
  gather: async ({ data: { namespace, release: name } }, { kube, helm, clock }): Promise<World> => {
    if (namespace === undefined || name === undefined) {
      const [releases, requests] = await Promise.all([kube.list(HelmRelease), kube.list(HelmRequest)]);
      return { scope: "all", releases, requests, now: clock.now() };
    }
    const release = await kube.get(HelmRelease, { namespace, name });
    const now = clock.now();
    const open = release?.status?.state === "created" || release?.status?.state === "upgraded";
    const leaving = release?.metadata.deletionTimestamp !== undefined;
    if (!release || !open || leaving) return { scope: "one", release, verdict: undefined, now };
    const objects = await helm.objects({ namespace, name: release.spec.name });
    return { scope: "one", release, verdict: judge(release, objects, now), now };
  },
  decide: (world): Decision<Emitted, "HelmRelease"> => {
    if (world.scope === "all") return change({ announce: overdue(world) });
    const { release, verdict, now } = world;
    if (!release?.status) return change({});
    if (!verdict) return change({ announce: factOf(release, release.status) });
    const status = verdictStatus(release, verdict, now);
    const write = status ? [replaceStatus(HelmRelease, release, status)] : [];
    if (verdict.state === "open") return verdict.again ? wait("NotReady", { write }) : change({ write });
    const announce = factOf(release, status ?? release.status);
    return verdict.state === "failed"
      ? refuse(verdict.reason, verdict.message, { write, announce })
      : change({ write, announce });
  },
});
