import { Failure } from "../errors.ts";
import type { DataOf } from "../event.ts";
import { WebhookReceived } from "../events/webhook.ts";
import { present } from "../present.ts";
import type { HelmRepo } from "../resources/helm-repo.ts";
import type { Receiver } from "../resources/receiver.ts";
import { gitAddress, lastSegment, pathBelow, plainAddress } from "./addresses.ts";
import type { Hint, Told } from "./delivery.ts";

/** What is announced of a delivery, and how much of it is not, by reason. */
export interface Sorted {
  readonly received: readonly Received[];
  readonly ignored: Readonly<Record<string, number>>;
}

/** One announcement; `occurrence` identifies it for the duplicate check. */
export interface Received {
  readonly data: DataOf<typeof WebhookReceived>;
  readonly occurrence?: string;
}

/** Whose delivery it is and how it was proven. */
export interface Proven {
  readonly repo: HelmRepo;
  readonly receiver: Receiver;
  readonly verifiedBy: string;
}

const HELM_CONFIG = "application/vnd.cncf.helm.config.v1+json";

/** Things that one delivery may tell of; a registry sends a few. */
const MAX_TOLD = 500;

/** Keeps what concerns the receiver's repository and may be a chart; everything else is only counted. */
export function sortHints(told: readonly Told[], proven: Proven): Sorted {
  if (told.length > MAX_TOLD) {
    throw new Failure("TooLarge", `the payload tells of ${told.length} things; send at most ${MAX_TOLD} at once`);
  }
  const judged = told.map((each) => ("ignored" in each ? each.ignored : judge(each, proven)));
  const ignored: Record<string, number> = {};
  for (const each of judged) if (typeof each === "string") ignored[each] = (ignored[each] ?? 0) + 1;
  return { received: judged.filter((each) => typeof each !== "string"), ignored };
}

function judge(hint: Hint, { repo, receiver, verifiedBy }: Proven): Received | string {
  const { mediaType = HELM_CONFIG, version, occurrence } = hint;
  if (mediaType !== HELM_CONFIG) return "no chart";
  if (version !== undefined && !isVersion(version)) return "no version";
  const found = locate(hint, [repo.spec.url, ...(receiver.aliases ?? [])]);
  if (!found) return "not in this repository";
  const data = {
    repo: repo.metadata.name,
    receiver: receiver.name,
    producer: receiver.type,
    action: hint.action,
    certainty: hint.certainty,
    ...present({
      address: found.address?.slice(0, 1024),
      chart: hint.chart ?? (hint.certainty === "git" ? undefined : found.chart),
      version: version?.replaceAll("_", "+"),
      digest: hint.digest,
    }),
    verifiedBy,
  };
  if (!WebhookReceived.data.safeParse(data).success) return "no chart's name";
  return {
    data,
    ...(occurrence === undefined ? {} : { occurrence: `${repo.metadata.uid}/${receiver.name}/${occurrence}` }),
  };
}

interface Located {
  readonly address?: string;
  readonly chart?: string;
}

/** Where below the repository one of the addresses lies; the repository may itself be one chart. */
function locate(hint: Hint, places: readonly string[]): Located | undefined {
  const { addresses = [] } = hint;
  if (addresses.length === 0) return isNamed(hint, places) ? {} : undefined;
  for (const place of [...places, ...places.flatMap((each) => gitAddress(each) ?? [])]) {
    for (const address of addresses) {
      const below = pathBelow(place, address);
      if (below) return present({ address: plainAddress(address), chart: below.join("/") || lastSegment(place) });
    }
  }
  return undefined;
}

/** A repository manager's name for the repository is one of the segments of its address. */
function isNamed({ repositoryName: name }: Hint, places: readonly string[]): boolean {
  if (name === undefined) return true;
  const segments = places.flatMap((place) => plainAddress(place).split("/").slice(1));
  return segments.some((segment) => segment.toLowerCase() === name.toLowerCase());
}

/** A tag that Helm could have made: signatures, digests and names like latest are none. */
function isVersion(tag: string): boolean {
  return /^v?\d+(\.\d+){0,2}([-+_.][0-9A-Za-z+_.-]*)?$/.test(tag);
}
