import type { Finding } from "../charts/finding.ts";
import { packageName } from "../charts/ids.ts";
import type { PackageReport } from "../charts/package-report.ts";
import { type ConditionInput, findCondition, setConditions } from "../conditions.ts";
import { type BlobWrite, create, remove, replaceStatus, type Write } from "../decision.ts";
import { HelmPackage } from "../resources/helm-package.ts";
import { metadataSpec } from "./version-object.ts";

/** A package that can be taken in. */
export type AcceptedReport = Extract<PackageReport, { ok: true }>;

/** What is known of uploaded bytes and of the object that stands for them. */
export interface Upload {
  readonly bytes: Uint8Array | undefined;
  readonly known: HelmPackage | undefined;
  readonly now: Date;
}

/** How somebody announced bytes. */
export interface Announced {
  readonly digest: string;
  readonly filename?: string | undefined;
}

type Status = NonNullable<HelmPackage["status"]>;

/** How much of a report an object keeps. */
const MAX_ITEMS = 100;
const MAX_CRDS = 200;
const MAX_PATH = 256;
const MAX_MESSAGE = 512;

/** The bytes of an accepted package, unless they are kept already. */
export function packageBlobs(
  { bytes, known }: Upload & { readonly bytes: Uint8Array },
  digest: string,
): readonly BlobWrite[] {
  return isKept(known) ? [] : [{ bucket: "packages", key: digest, bytes }];
}

/** The object of an accepted package with everything that was found, unless it is there already. */
export function packageWrites(
  { report, known, bytes, now }: Upload & { readonly report: AcceptedReport; readonly bytes: Uint8Array },
  { digest, filename }: Announced,
): readonly Write<"HelmPackage">[] {
  const status = acceptedStatus(report, known, now.toISOString());
  if (isKept(known)) return [];
  // A package never changes, so one that only records a refusal makes room for the one that is taken in.
  if (known?.spec.name !== undefined) return [replaceStatus(HelmPackage, known, status)];
  const spec = {
    ...metadataSpec(report.chart),
    digest,
    size: bytes.byteLength,
    ...(filename === undefined ? {} : { filename }),
  };
  const made = create(HelmPackage, { metadata: { name: packageName(digest) }, spec, status });
  return known ? [remove(HelmPackage, known), made] : [made];
}

/** Leaves a refusal on the package, unless the package itself is good and only this upload of it is not wanted. */
export function refusedPackageWrites(
  { known, bytes, now }: Upload,
  { digest, filename }: Announced,
  { reason, message }: { readonly reason: string; readonly message: string },
): readonly Write<"HelmPackage">[] {
  if (isKept(known) || findCondition(known?.status?.conditions, "Ready")?.reason === reason) return [];
  const input: ConditionInput = { type: "Ready", status: "False", reason, message: message.slice(0, 1024) };
  const time = now.toISOString();
  const status = { checkedTime: time, conditions: setConditions(known?.status?.conditions, [input], time) };
  if (known) return [replaceStatus(HelmPackage, known, status)];
  const spec = { digest, size: bytes?.byteLength ?? 0, ...(filename === undefined ? {} : { filename }) };
  return [create(HelmPackage, { metadata: { name: packageName(digest) }, spec, status })];
}

/** Whether the package was taken in: its bytes are in the object store and its object says what they are. */
export function isKept(known: HelmPackage | undefined): boolean {
  return findCondition(known?.status?.conditions, "Ready")?.status === "True";
}

function acceptedStatus(report: AcceptedReport, known: HelmPackage | undefined, time: string): Status {
  const { files, findings, images, crds, dependencies } = report;
  const ready: ConditionInput = {
    type: "Ready",
    status: "True",
    reason: "Checked",
    message: `${files.length} files, nothing to refuse`,
  };
  return {
    files: files.length,
    checkedTime: time,
    conditions: setConditions(known?.status?.conditions, [ready, lintedCondition(findings)], time),
    ...(findings.length > 0 ? { findings: findings.slice(0, MAX_ITEMS).map(shortened) } : {}),
    ...(images.length > 0 ? { images: images.slice(0, MAX_ITEMS) } : {}),
    ...(crds.length > 0 ? { crds: crds.slice(0, MAX_CRDS).map((name) => name.slice(0, MAX_PATH)) } : {}),
    ...(dependencies.length > 0 ? { dependencies: dependencies.slice(0, MAX_ITEMS).map(cutDependency) } : {}),
  };
}

function cutDependency({ name, version, vendored }: AcceptedReport["dependencies"][number]) {
  return { name: name.slice(0, MAX_PATH), version: version.slice(0, MAX_PATH), vendored };
}

function shortened({ severity, path, message }: Finding): Finding {
  return { severity, path: path.slice(0, MAX_PATH), message: message.slice(0, MAX_MESSAGE) };
}

/** Whether `helm lint` would pass: what it calls errors is for reviewers to judge, since Helm installs such charts. */
function lintedCondition(findings: readonly Finding[]): ConditionInput {
  const count = (severity: Finding["severity"]) => findings.filter((each) => each.severity === severity).length;
  const [first] = findings;
  const numbers = `${count("error")} errors, ${count("warning")} warnings, ${count("info")} remarks`;
  const message = first ? `${numbers}; first ${first.path}: ${first.message}` : "nothing found";
  const failed = count("error") > 0;
  return { type: "Linted", status: failed ? "False" : "True", reason: failed ? "LintErrors" : "Passed", message };
}
