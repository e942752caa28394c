import { sha256 } from "../../shared/digest.ts";
import { type Announcement, begin, type Event } from "../../shared/event.ts";
import { AppActionRefused, AppChanged, AppDeleted, AppRecovered, AppSuspended } from "../../shared/events/app.ts";
import { PackageRefused, PackageUploaded } from "../../shared/events/package.ts";
import { RepoSyncRequested } from "../../shared/events/repo.ts";
import {
  VersionActionRefused,
  VersionApproved,
  VersionCancelled,
  VersionCreated,
  VersionDeleted,
  VersionRecovered,
  VersionRejected,
  VersionReleased,
  VersionReviewStarted,
  VersionStateChanged,
  VersionSubmitted,
  VersionSuspended,
} from "../../shared/events/version.ts";
import { RestError } from "../../shared/rest/answers.ts";
import type { Call } from "./call.ts";

/** Acts that the gateway sends on behalf of people. */
export const EMITS = [
  VersionSubmitted,
  VersionCancelled,
  VersionReviewStarted,
  VersionApproved,
  VersionRejected,
  VersionReleased,
  VersionSuspended,
  VersionRecovered,
  VersionDeleted,
  AppSuspended,
  AppRecovered,
  AppDeleted,
  PackageUploaded,
  RepoSyncRequested,
] as const;

type Emitted = (typeof EMITS)[number]["type"];

/** The facts that an act can end in. */
const OUTCOMES = [
  VersionStateChanged,
  VersionActionRefused,
  VersionCreated,
  AppChanged,
  AppActionRefused,
  PackageRefused,
].map(({ type }) => type);

/** How long an answer waits for the outcome. */
const WAIT_MS = 10_000;

/** How far back a repeated request looks for the outcome of the first: the stream's own duplicate window. */
const REPEAT_MS = 30 * 60_000;

/**
 * Announces an act as the caller's and gives the fact that it led to. Throws the refusal as an error of HTTP, and 504
 * with the event's id where none came in time. With `Idempotency-Key` the same request again is the same act.
 */
export async function act(call: Call, announcement: Announcement<Emitted>): Promise<Event> {
  const { ports, user } = call;
  const key = call.request.headers["idempotency-key"];
  const occurrence = { operator: user.name, ...(key === undefined ? {} : { id: sha256(`${user.name}\0${key}`) }) };
  const known = key === undefined ? undefined : await earlier(call, announcement, sha256(`${user.name}\0${key}`));
  if (known) return accepted(known);
  const awaited = { types: OUTCOMES, timeoutMs: WAIT_MS, signal: ports.signal };
  const { event, outcome } = await ports.outcomes.after(() => ports.publish(announcement, occurrence), awaited);
  if (outcome) return accepted(outcome);
  throw new RestError(504, `no outcome within ${WAIT_MS / 1000} s; the act is kept as event ${event.id}, look later`);
}

/** What the same request has led to before, if it was sent before. */
function earlier({ ports }: Call, announcement: Announcement<Emitted>, id: string): Promise<Event | undefined> {
  const { id: cause } = begin("rest-gateway", announcement, { id, now: ports.clock.now() });
  return ports.outcomes.find(cause, { types: OUTCOMES, sinceMs: REPEAT_MS });
}

/** Statuses of refusals that are not 400 (KubeSphere §6.4; a state that does not fit is 400). */
const STATUS: Readonly<Record<string, number>> = {
  Immutable: 403,
  SamePerson: 403,
  OperatorUnknown: 403,
  OtherWorkspace: 403,
  VersionNotFound: 404,
  ApplicationNotFound: 404,
  BeingDeleted: 409,
  InReview: 409,
  HasVersions: 500,
  VersionExists: 500,
  InvalidSettings: 500,
};

interface Refusal {
  readonly reason: string;
  readonly message: string;
}

function accepted(outcome: Event): Event {
  const refused = [VersionActionRefused, AppActionRefused, PackageRefused].some(({ type }) => type === outcome.type);
  if (!refused) return outcome;
  const { reason, message } = outcome.data as Refusal;
  const named = reason === "IllegalTransition" ? `app_version_incorrect_status: ${message}` : message;
  throw new RestError(STATUS[reason] ?? 400, named);
}
