import { packageName } from "../../shared/charts/ids.ts";
import type { PackageReport } from "../../shared/charts/package-report.ts";
import { change, type Decision, refuse, replace, wait } from "../../shared/decision.ts";
import type { EventOf } from "../../shared/event.ts";
import { PackageReplaced } from "../../shared/events/package.ts";
import { VersionActionRefused, VersionChanged, VersionStateChanged } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { isYoung, stateOf } from "../../shared/lifecycle/act.ts";
import {
  type AcceptedReport,
  packageBlobs,
  packageWrites,
  refusedPackageWrites,
} from "../../shared/lifecycle/package-object.ts";
import { isDone, remembering } from "../../shared/lifecycle/remembered-acts.ts";
import { inspectUpload } from "../../shared/lifecycle/uploaded-package.ts";
import { metadataSpec } from "../../shared/lifecycle/version-object.ts";
import { present } from "../../shared/present.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { changedFacts } from "./facts.ts";
import { problemOf } from "./problem.ts";
import type { World } from "./world.ts";

type Replacing = EventOf<typeof PackageReplaced>;
type Emitted = typeof VersionChanged.type | typeof VersionActionRefused.type | typeof VersionStateChanged.type;
type ReplaceDecision = Decision<Emitted, "HelmApplicationVersion" | "HelmPackage">;

/** A draft gets another package: packages never change, so the new one is an object of its own. */
export default defineFunction({
  on: PackageReplaced,
  summary: "Checks an uploaded chart and puts it in the place of a draft's package, or says why not.",
  emits: [VersionChanged, VersionActionRefused, VersionStateChanged],
  reads: [HelmApplicationVersion, HelmPackage],
  writes: [HelmApplicationVersion, HelmPackage],
  uses: ["blobs", "charts", "clock"],
  timeoutMs: 60_000,
  concurrency: 4,
  gather: async ({ data }, { kube, blobs, charts, clock }): Promise<World> => {
    const [inspected, known, version] = await Promise.all([
      inspectUpload(data.digest, { blobs, charts }),
      kube.get(HelmPackage, packageName(data.digest)),
      kube.get(HelmApplicationVersion, data.version),
    ]);
    const app = version?.metadata.labels?.[LABEL.appId];
    const siblings =
      app === undefined ? [] : await kube.list(HelmApplicationVersion, { labels: { [LABEL.appId]: app } });
    return { ...inspected, known, version, siblings, now: clock.now() };
  },
  decide: (world, event): ReplaceDecision => {
    const { version, report, bytes, now } = world;
    if (version && isDone(version, event)) return change({ announce: changedFacts(version) });
    if (!report && isYoung(event, now)) return wait("UploadNotFound");
    const problem = problemOf(world, event.data);
    if (problem || !version || !report?.ok || !bytes) return refused(world, event, problem);
    const accepted = { ...world, report, bytes };
    const replaced = withPackage({ ...accepted, version }, event);
    return change({
      blobs: packageBlobs(accepted, event.data.digest),
      write: [...packageWrites(accepted, event.data), replace(HelmApplicationVersion, replaced)],
      announce: changedFacts(replaced),
    });
  },
});

interface Accepted extends World {
  readonly version: HelmApplicationVersion;
  readonly report: AcceptedReport;
}

/** What the chart says takes the place of what the old one said; the version keeps its name, and with it its history. */
function withPackage({ version, report, now }: Accepted, event: Replacing): HelmApplicationVersion {
  const { digest } = event.data;
  const { dataKey } = version.spec;
  const own = { digest, package: packageName(digest), created: now.toISOString(), ...present({ dataKey }) };
  return {
    ...version,
    metadata: { ...version.metadata, annotations: remembering(version.metadata, event) },
    spec: { ...metadataSpec(report.chart), ...own },
  };
}

/** The refusal stands on the new package where that is what is wrong; the draft stays as it was. */
function refused(world: World, { data, operator }: Replacing, problem = LOST): ReplaceDecision {
  const { version, report } = world;
  const { reason, message } = problem;
  const app = version?.metadata.labels?.[LABEL.appId];
  const fact = VersionActionRefused.of(subjectOf(HelmApplicationVersion, { name: data.version }), {
    version: data.version,
    action: "replace package",
    state: version ? stateOf(version) : null,
    reason,
    message: message.slice(0, 1024),
    ...present({ app, operator }),
  });
  const write = isRefusal(report) ? refusedPackageWrites(world, data, report) : [];
  return refuse(reason, message, { write, announce: [fact] });
}

function isRefusal(report: PackageReport | undefined): report is Extract<PackageReport, { ok: false }> {
  return report?.ok === false;
}

const LOST = { reason: "UploadNotFound", message: "the uploaded bytes are gone; upload them again" };
