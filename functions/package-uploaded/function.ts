import { appId, packageName, versionId } from "../../shared/charts/ids.ts";
import { checkPackage, type PackageCheck } from "../../shared/charts/package.ts";
import { change, type Decision, refuse, wait } from "../../shared/decision.ts";
import { sha256 } from "../../shared/digest.ts";
import { Failure } from "../../shared/errors.ts";
import type { EventOf } from "../../shared/event.ts";
import { PackageRefused, PackageUploaded } from "../../shared/events/package.ts";
import { VersionCreated, VersionStateChanged } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { isYoung } from "../../shared/lifecycle/act.ts";
import type { Blobs, Charts } from "../../shared/ports.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { acceptedWrites, createdFacts, isKept, refusedWrites } from "./objects.ts";
import type { World } from "./world.ts";

/** Packages above this are refused (charts with vendored sub-charts reach a few megabytes). */
const MAX_PACKAGE_BYTES = 32 * 1024 * 1024;

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
    const { bytes, check } = await inspect(data.digest, blobs, charts);
    const known = await kube.get(HelmPackage, packageName(data.digest));
    const now = clock.now();
    if (!check?.ok) return { bytes, check, known, app: undefined, version: undefined, now };
    const app = data.app ?? appId({ workspace: data.workspace }, check.chart.name);
    return {
      bytes,
      check,
      known,
      app: await kube.get(HelmApplication, app),
      version: await kube.get(HelmApplicationVersion, versionId(app, check.chart.version)),
      now,
    };
  },
  decide: (world, event): UploadDecision => {
    const { check, bytes, known, now } = world;
    if (!check && isYoung(event, now)) return wait("UploadNotFound");
    const problem = problemOf(world, event.data);
    if (problem || !check?.ok || !bytes) return refused(world, event.data, problem ?? LOST);
    const accepted = { ...world, check, bytes };
    const keep = isKept(known) ? [] : [{ bucket: "packages" as const, key: event.data.digest, bytes }];
    return change({
      blobs: keep,
      write: acceptedWrites(accepted, event),
      announce: createdFacts(accepted, event),
    });
  },
});

/** Why the upload is not taken in, if anything is wrong with it. */
function problemOf({ check, app, version }: World, data: Data): Refusal | undefined {
  if (!check) {
    const message = `nothing was uploaded under ${data.digest}; upload the bytes first, then announce them`;
    return { reason: "UploadNotFound", message };
  }
  if (!check.ok) return check;
  if (data.app !== undefined && !app) {
    return { reason: "ApplicationNotFound", message: `no HelmApplication is called ${data.app}` };
  }
  const foreign = app && foreignTo(data.workspace, app);
  if (foreign) return foreign;
  if (!version || version.spec.package === packageName(data.digest)) return undefined;
  const { name, version: number } = check.chart;
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

interface Inspected {
  readonly bytes: Uint8Array | undefined;
  readonly check: PackageCheck | undefined;
}

async function inspect(digest: string, blobs: Blobs, charts: Charts): Promise<Inspected> {
  try {
    const bytes =
      (await blobs.get("uploads", digest, MAX_PACKAGE_BYTES)) ??
      (await blobs.get("packages", digest, MAX_PACKAGE_BYTES));
    if (!bytes) return { bytes, check: undefined };
    const actual = sha256(bytes);
    if (actual !== digest) {
      const message = `the uploaded bytes have digest ${actual}, but ${digest} was announced; upload them again`;
      return { bytes, check: { ok: false, reason: "DigestMismatch", message } };
    }
    return { bytes, check: checkPackage(await charts.readArchive(bytes)) };
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "TooLarge") throw error;
    return { bytes: undefined, check: { ok: false, reason: "TooLarge", message: error.message } };
  }
}

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
  return refuse(reason, message, { write: refusedWrites(world, data, refusal), announce: [fact] });
}
