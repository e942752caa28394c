import { Failure } from "../errors.ts";
import type { Attestations, RepositoryAccess } from "../ports.ts";
import { deadline, httpUrl, USER_AGENT } from "./charts-http.ts";
import { type FetchHead, nameOf } from "./charts-http-fetch.ts";
import { readBody } from "./http-body.ts";

/** A provenance is a Chart.yaml, a digest and a signature. */
const MAX_PROVENANCE_BYTES = 256 * 1024;

const TOTAL_MS = 30_000;
const IDLE_MS = 15_000;

/** What servers answer where there is no such file. */
const ABSENT = [404, 410];

/** Fetches provenance files from web servers, buckets and registries, and cosign signatures from registries. */
export function createAttestations(fetchHead: FetchHead): Attestations {
  const registries = async () => {
    const { registryAttestations } = await import("./attestations-oci.ts");
    return registryAttestations(fetchHead, { idleMs: IDLE_MS, maxProvenanceBytes: MAX_PROVENANCE_BYTES });
  };
  const fetchProvenance = async (access: RepositoryAccess, url: string) => {
    if (isOci(url)) return (await registries()).fetchProvenance(access, url);
    return isBucket(access, url) ? fetchFromBucket(fetchHead, access, url) : fetchBeside(fetchHead, access, url);
  };
  return {
    fetchProvenance,
    fetchSignatures: async (access, url) =>
      isOci(url) ? (await registries()).fetchSignatures(access, url) : undefined,
  };
}

function isOci(url: string): boolean {
  return /^oci:/i.test(url);
}

function isBucket(access: RepositoryAccess, url: string): boolean {
  return /^s3:/i.test(url) || /^s3:/i.test(access.url);
}

/** The file that `helm package --sign` puts beside the package. */
async function fetchBeside(fetchHead: FetchHead, access: RepositoryAccess, text: string) {
  const url = httpUrl(beside(text));
  const headers = { "user-agent": USER_AGENT, "accept-encoding": "identity" };
  const timing = { signal: deadline(TOTAL_MS), idleMs: IDLE_MS };
  const response = await fetchHead(access, { url, headers, judged: ABSENT, ...timing });
  if (ABSENT.includes(response.statusCode ?? 0)) return void response.destroy();
  return readBody(response, { what: nameOf(url), maxBytes: MAX_PROVENANCE_BYTES, decompress: false });
}

async function fetchFromBucket(fetchHead: FetchHead, access: RepositoryAccess, text: string) {
  const { s3Source } = await import("./charts-s3.ts");
  const limits = {
    indexMs: TOTAL_MS,
    totalMs: TOTAL_MS,
    idleMs: IDLE_MS,
    maxIndexBytes: 0,
    maxPackageBytes: MAX_PROVENANCE_BYTES,
  };
  try {
    return await s3Source(fetchHead, limits).fetchPackage(access, beside(text));
  } catch (error) {
    if (error instanceof Failure && error.kind === "Invalid" && / HTTP 404\b/.test(error.message)) return undefined;
    throw error;
  }
}

/** The address with `.prov` behind its path, whatever query follows. */
function beside(url: string): string {
  return url.replace(/(?=[?#]|$)/, ".prov");
}
