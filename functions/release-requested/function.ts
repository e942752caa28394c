import { findCondition } from "../../shared/conditions.ts";
import { change, type Decision, refuse, type Write, wait } from "../../shared/decision.ts";
import type { Event } from "../../shared/event.ts";
import { ReleaseChanged, ReleaseRefused, ReleaseRequested } from "../../shared/events/release.ts";
import { defineFunction } from "../../shared/function.ts";
import { isYoung, stateOf } from "../../shared/lifecycle/act.ts";
import { createVersion } from "../../shared/lifecycle/repository-version.ts";
import { present } from "../../shared/present.ts";
import { subjectOf } from "../../shared/resource.ts";
import { Namespace } from "../../shared/resources/core.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";
import { chooseTarget } from "./choose-target.ts";
import { findListed } from "./listed-version.ts";
import { type ReleaseInput, releaseWrites } from "./release-writes.ts";
import { requestStatus } from "./request-status.ts";
import type { World } from "./world.ts";

type Emitted = typeof ReleaseChanged.type | typeof ReleaseRefused.type;
type RequestDecision = Decision<Emitted, "HelmRequest" | "HelmRelease" | "HelmApplicationVersion">;

/** A project member wants a version to run: checks that it may, finds the place, and makes the HelmRelease. */
export default defineFunction({
  on: ReleaseRequested,
  summary: "Turns a HelmRequest into a HelmRelease in the one namespace it means, or says why not.",
  emits: [ReleaseChanged, ReleaseRefused],
  reads: [HelmRequest, HelmApplication, HelmApplicationVersion, HelmRelease, HelmRepo, Namespace],
  writes: [HelmRequest, HelmRelease, HelmApplicationVersion],
  uses: ["blobs", "clock"],
  timeoutMs: 20_000,
  gather: async (event, { kube, blobs, clock }): Promise<World> => {
    const request = await kube.get(HelmRequest, event.data.request);
    const now = clock.now();
    if (!request) return { request, now, version: undefined, namespaces: [], releases: [] };
    const { namespace, selector, appVerId } = request.spec;
    const one = async (name: string) => [await kube.get(Namespace, name)].filter((found) => found !== undefined);
    const [version, namespaces] = await Promise.all([
      kube.get(HelmApplicationVersion, appVerId),
      namespace === undefined ? kube.list(Namespace, { labels: selector?.matchLabels ?? {} }) : one(namespace),
    ]);
    const known = request.status?.release?.namespace;
    const homes = new Set(
      [known, ...namespaces.map(({ metadata }) => metadata.name)].filter((name) => name !== undefined),
    );
    const releases = await Promise.all([...homes].map((home) => kube.list(HelmRelease, { namespace: home })));
    const listed = version ? undefined : await findListed(request, { kube, blobs });
    return { request, now, version, namespaces, releases: releases.flat(), ...present({ listed }) };
  },
  decide: (world, event): RequestDecision => {
    const { request, now } = world;
    if (!request || request.metadata.deletionTimestamp !== undefined) {
      return !request && isYoung(event, now) ? wait("RequestNotFound") : change({});
    }
    return requested(request, world, event);
  },
});

function requested(request: HelmRequest, world: World, event: Event): RequestDecision {
  const { now } = world;
  const { version, made } = versionOf(world);
  const problem = versionProblem(version, request.spec.appVerId);
  if (problem && isYoung(event, now)) return wait("VersionNotReleased");
  if (problem || !version)
    return failed(world, request, { state: "Failed", reason: "VersionNotReleased", message: problem });
  const target = chooseTarget(request, world);
  if (!target.ok) return failed(world, request, target);
  const decision = accepted({ request, version, target, now }, event);
  return { ...decision, write: [...made, ...(decision.write ?? [])] };
}

interface Version {
  readonly version: HelmApplicationVersion | undefined;
  readonly made: readonly Write<"HelmApplicationVersion">[];
}

/** The version that is asked for; an older one that only an index has becomes an object for as long as it is used. */
function versionOf({ version, listed }: World): Version {
  if (version || !listed) return { version, made: [] };
  const write = createVersion(listed.repo, { ...listed, indexState: "older" });
  return { version: write.object as HelmApplicationVersion, made: [write] };
}

function accepted(input: ReleaseInput, event: Event): RequestDecision {
  const { request, target, now } = input;
  if (target.existing?.metadata.deletionTimestamp !== undefined) return leaving(input, event);
  const { writes, release } = releaseWrites(input);
  const status = requestStatus(request, { state: "Accepted", release: release.metadata, now });
  const subject = subjectOf(HelmRelease, release.metadata);
  const changed = { namespace: target.namespace, release: release.metadata.name };
  return change({ write: [...writes, ...status], announce: [ReleaseChanged.of(subject, changed)] });
}

function versionProblem(version: HelmApplicationVersion | undefined, name: string): string {
  if (!version) return `no HelmApplicationVersion is called ${name}; choose one of kubectl get helmapplicationversions`;
  const state = stateOf(version);
  const withdrawn = findCondition(version.status?.conditions, "Withdrawn");
  if (withdrawn?.status === "True") return `version ${name}: ${withdrawn.message}; choose another one`;
  return state === "active"
    ? ""
    : `version ${name} is ${state}, only released (active) versions can be installed; release it first, then change the request (its description will do)`;
}

/** A wish written into a release on its way out would go with it. */
function leaving({ request, now }: ReleaseInput, event: Event): RequestDecision {
  if (isYoung(event, now)) return wait("ReleaseLeaving");
  const message = `the release of request ${request.metadata.name} is being uninstalled; change the request again once it is gone`;
  return failed({ now }, request, { state: "Failed", reason: "ReleaseLeaving", message });
}

interface Refusal {
  readonly state: "Failed" | "NeedsChoice";
  readonly reason: string;
  readonly message: string;
  readonly candidates?: readonly string[];
}

function failed({ now }: Pick<World, "now">, request: HelmRequest, refusal: Refusal): RequestDecision {
  const subject = subjectOf(HelmRequest, request.metadata);
  const { reason, message } = refusal;
  const fact = ReleaseRefused.of(subject, { request: request.metadata.name, reason, message });
  return refuse(reason, message, { write: requestStatus(request, { ...refusal, now }), announce: [fact] });
}
