import { type PackageReport, reportPackage } from "../charts/package-report.ts";
import { sha256 } from "../digest.ts";
import { Failure } from "../errors.ts";
import type { Blobs, Charts } from "../ports.ts";

/** Packages above this are refused, whatever transports them (charts with vendored sub-charts reach a few megabytes). */
export const MAX_PACKAGE_BYTES = 32 * 1024 * 1024;

/** Uploaded bytes and what looking through them came to; no report where there are no bytes. */
export interface Inspected {
  readonly bytes: Uint8Array | undefined;
  readonly report: PackageReport | undefined;
}

/** Fetches announced bytes, wherever they lie, and looks through them; what can never be right is a refusal. */
export async function inspectUpload(
  digest: string,
  { blobs, charts }: { readonly blobs: Blobs; readonly charts: Charts },
): Promise<Inspected> {
  try {
    const bytes =
      (await blobs.get("uploads", digest, MAX_PACKAGE_BYTES)) ??
      (await blobs.get("packages", digest, MAX_PACKAGE_BYTES));
    if (!bytes) return { bytes, report: undefined };
    const actual = sha256(bytes);
    if (actual !== digest) {
      const message = `the uploaded bytes have digest ${actual}, but ${digest} was announced; upload them again`;
      return { bytes, report: { ok: false, reason: "DigestMismatch", message } };
    }
    return { bytes, report: await reportPackage(await charts.readArchive(bytes)) };
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "TooLarge") throw error;
    return { bytes: undefined, report: { ok: false, reason: "TooLarge", message: error.message } };
  }
}
