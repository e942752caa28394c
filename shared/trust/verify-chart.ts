import { Failure } from "../errors.ts";
import type { Attestations, OpenPgp, RepositoryAccess } from "../ports.ts";
import { checkCosign } from "./cosign.ts";
import { type ExpectedChart, readProvenance } from "./provenance.ts";
import type { Demands } from "./trust-keys.ts";
import { type Checked, type Distrust, type Verdict, verdictOf } from "./verdict.ts";

/** A chart as the store knows it, and where it comes from. */
export interface ChartToVerify extends ExpectedChart {
  readonly access: RepositoryAccess;
  /** Address of the package. */
  readonly url: string;
}

/** What checking signatures needs from outside. */
export interface TrustPorts {
  readonly attestations: Attestations;
  readonly openpgp: OpenPgp;
}

/**
 * Checks every kind of signature that is demanded; whatever is missing, unreadable or refused counts as not verified.
 * Fails with Unavailable where the repository does not answer: then nothing is known.
 */
export async function verifyChart(
  chart: ChartToVerify,
  { demands, now }: { readonly demands: Demands; readonly now: Date },
  ports: TrustPorts,
): Promise<Verdict> {
  const { provenance, cosign, mark } = demands;
  const checks = [
    ...(provenance ? [await checkProvenance(chart, { keyrings: provenance, now }, ports)] : []),
    ...(cosign ? [await checkSignatures(chart, cosign, ports)] : []),
  ];
  if (checks.length === 0) checks.push(distrust(NOTHING_ASKED));
  return verdictOf(checks, { time: now, mark, ...(chart.digest === undefined ? {} : { digest: chart.digest }) });
}

const NOTHING_ASKED: Distrust = {
  reason: "NoKey",
  message: "spec.verify of the repository names neither provenance nor cosign; name one with a Secret of public keys",
};

interface Provenances {
  readonly keyrings: NonNullable<Demands["provenance"]>;
  readonly now: Date;
}

async function checkProvenance(chart: ChartToVerify, asked: Provenances, ports: TrustPorts): Promise<Checked> {
  const { keyrings, now } = asked;
  if ("reason" in keyrings) return distrust(keyrings);
  const message = await fetched(() => ports.attestations.fetchProvenance(chart.access, chart.url));
  if ("reason" in message) return distrust(message);
  if (!message.found) {
    const text = `${placeOf(chart)} has no provenance file; publish the .prov that "helm package --sign" makes`;
    return distrust({ reason: "SignatureMissing", message: text });
  }
  const signed = await ports.openpgp.verifyClearSigned(message.found, keyrings, now);
  if (!signed.ok)
    return distrust({ reason: signed.reason, message: `provenance of ${placeOf(chart)}: ${signed.message}` });
  const stated = readProvenance(signed.text, chart);
  if (!stated.ok) return stated;
  const { signer, identity, signedTime } = signed;
  const evidence = { signer, ...(identity === undefined ? {} : { identity }), signedTime: signedTime.toISOString() };
  return { ok: true, digest: stated.digest, evidence: { method: "provenance", ...evidence } };
}

async function checkSignatures(
  chart: ChartToVerify,
  keys: NonNullable<Demands["cosign"]>,
  { attestations }: TrustPorts,
): Promise<Checked> {
  if ("reason" in keys) return distrust(keys);
  const signed = await fetched(() => attestations.fetchSignatures(chart.access, chart.url));
  if ("reason" in signed) return distrust(signed);
  if (signed.found) return checkCosign(signed.found, keys, chart);
  const message = `${placeOf(chart)} is not in a registry, where cosign puts its signatures; ask for provenance instead`;
  return distrust({ reason: "SignatureMissing", message });
}

/** What was fetched, or why it cannot be had; only a repository that may answer later is an error. */
async function fetched<T>(fetch: () => Promise<T | undefined>): Promise<{ readonly found: T | undefined } | Distrust> {
  try {
    return { found: await fetch() };
  } catch (error) {
    if (!(error instanceof Failure) || (error.kind !== "Invalid" && error.kind !== "TooLarge")) throw error;
    return { reason: "SignatureUnreadable", message: error.message };
  }
}

/** The package's address without what may be secret in it. */
function placeOf({ url }: ChartToVerify): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`.slice(0, 300);
}

function distrust(why: Distrust): Checked {
  return { ok: false, ...why };
}
