import { appId, packageName, versionId } from "../../shared/charts/ids.ts";
import { change, type Decision, refuse, wait } from "../../shared/decision.ts";
import type { EventOf } from "../../shared/event.ts";
import { PackageRefused, PackageUploaded } from "../../shared/events/package.ts";
import { VersionCreated, VersionStateChanged } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { isYoung } from "../../shared/lifecycle/act.ts";
import { packageBlobs, refusedPackageWrites } from "../../shared/lifecycle/package-object.ts";
import { inspectUpload } from "../../shared/lifecycle/uploaded-package.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { acceptedWrites, createdFacts } from "./objects.ts";
import { placeOf, type World } from "./world.ts";

type Emitted = typeof PackageRefused.type | typeof VersionCreated.type | typeof VersionStateChanged.type;
type UploadDecision = Decision<Emitted, "HelmPackage" | "HelmApplication" | "HelmApplicationVersion">;

/** Takes a chart package in: checks it, keeps it by its digest, and makes the draft of a version from it. */
export default defineFunction({
  on: PackageUploaded,
  summary: "Checks an uploaded chart and makes its package, application and draft version, or says why not.",
  emits: [PackageRefused, VersionCreated, VersionStateChanged],
  reads: [HelmPackage, HelmApplication, HelmApplicationVersion],
  writes: [HelmPackage, HelmApplication, HelmApplicationVersion],
  uses: ["blobs", "charts", "clock"],
  timeoutMs: 60_000,
  concurrency: 4,
  gather: async ({ data }, { kube, blobs, charts, clock }): Promise<World> => {
    const inspected = await inspectUpload(data.digest, { blobs, charts });
    const name = packageName(data.digest);
    const upload = { ...inspected, known: await kube.get(HelmPackage, name), now: clock.now() };
    const { report } = upload;
    if (!report?.ok) return { ...upload, app: undefined, version: undefined, versionName: "" };
    const { chart } = report;
    const app = data.app ?? appId({ workspace: data.workspace }, chart.name);
    const [found, versions, named] = await Promise.all([
      kube.get(HelmApplication, app),
      kube.list(HelmApplicationVersion, { labels: { [LABEL.appId]: app } }),
      kube.get(HelmApplicationVersion, versionId(app, chart.version)),
    ]);
    return { ...upload, app: found, ...placeOf({ app, number: chart.version, package: name, versions, named }) };
  },
  decide: (world, event): UploadDecision => {
    const { report, bytes, now } = world;
    if (!report && isYoung(event, now)) return wait("UploadNotFound");
    const problem = problemOf(world, event.data);
    if (problem || !report?.ok || !bytes) return refused(world, event.data, problem ?? LOST);
    const accepted = { ...world, report, bytes };
    return change({
      blobs: packageBlobs(accepted, event.data.digest),
      write: acceptedWrites(accepted, event),
      announce: createdFacts(accepted, event),
    });
  },
});

/** Why the upload is not taken in, if anything is wrong with it. */
function problemOf({ report, app, version }: World, data: Data): Refusal | undefined {
  if (!report) {
    const message = `nothing was uploaded under ${data.digest}; upload the bytes first, then announce them`;
    return { reason: "UploadNotFound", message };
  }
  if (!report.ok) return report;
  if (data.app !== undefined && !app) {
    return { reason: "ApplicationNotFound", message: `no HelmApplication is called ${data.app}` };
  }
  const foreign = app && foreignTo(data.workspace, app);
  if (foreign) return foreign;
  if (!version || version.spec.package === packageName(data.digest)) return undefined;
  const { name, version: number } = report.chart;
  const message = `${name} ${number} exists already as ${version.metadata.name} with other bytes; raise the version`;
  return { reason: "VersionExists", message };
}

/** Why uploads from this workspace do not belong into that application. */
function foreignTo(workspace: string, { metadata }: HelmApplication): Refusal | undefined {
  const { [LABEL.repoId]: repo, [LABEL.workspace]: owner } = metadata.labels ?? {};
  const advice = `leave app out, or name an application of workspace ${workspace}`;
  if (repo) return { reason: "Immutable", message: `application ${metadata.name} follows ${repo}; ${advice}` };
  if (!owner || owner === workspace) return undefined;
  return { reason: "OtherWorkspace", message: `application ${metadata.name} is another workspace's; ${advice}` };
}

const LOST = { reason: "UploadNotFound", message: "the uploaded bytes are gone; upload them again" };

interface Refusal {
  readonly reason: string;
  readonly message: string;
}

type Data = EventOf<typeof PackageUploaded>["data"];

function refused(world: World, data: Data, refusal: Refusal): UploadDecision {
  const { reason, message } = refusal;
  const name = packageName(data.digest);
  const short = message.slice(0, 1024);
  const fact = PackageRefused.of(subjectOf(HelmPackage, { name }), {
    digest: data.digest,
    package: name,
    reason,
    message: short,
  });
  return refuse(reason, message, { write: refusedPackageWrites(world, data, refusal), announce: [fact] });
}
