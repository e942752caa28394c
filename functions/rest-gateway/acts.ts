import { sha256 } from "../../shared/digest.ts";
import { type Announcement, begin, type Event } from "../../shared/event.ts";
import {
  AppActionRefused,
  AppChanged,
  AppDeleted,
  AppEdited,
  AppRecovered,
  AppSuspended,
} from "../../shared/events/app.ts";
import {
  AttachmentActionRefused,
  AttachmentChanged,
  AttachmentDeleted,
  AttachmentUploaded,
} from "../../shared/events/attachment.ts";
import {
  CategoryActionRefused,
  CategoryChanged,
  CategoryCreated,
  CategoryDeleted,
  CategoryEdited,
} from "../../shared/events/category.ts";
import { ChartFetched, ChartRefused, ChartRequested } from "../../shared/events/chart.ts";
import { PackageRefused, PackageReplaced, PackageUploaded } from "../../shared/events/package.ts";
import {
  RepoActionRefused,
  RepoAdded,
  RepoChanged,
  RepoDeleted,
  RepoEdited,
  RepoSyncRequested,
} from "../../shared/events/repo.ts";
import {
  VersionActionRefused,
  VersionApproved,
  VersionCancelled,
  VersionChanged,
  VersionCreated,
  VersionDeleted,
  VersionEdited,
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
  VersionEdited,
  AppEdited,
  AppSuspended,
  AppRecovered,
  AppDeleted,
  AttachmentUploaded,
  AttachmentDeleted,
  CategoryCreated,
  CategoryEdited,
  CategoryDeleted,
  RepoAdded,
  RepoEdited,
  RepoDeleted,
  PackageUploaded,
  PackageReplaced,
  RepoSyncRequested,
  ChartRequested,
] as const;

type Emitted = (typeof EMITS)[number]["type"];

/** The facts that an act can end in. */
const OUTCOMES = [
  VersionStateChanged,
  VersionActionRefused,
  VersionCreated,
  VersionChanged,
  AppChanged,
  AppActionRefused,
  AttachmentChanged,
  AttachmentActionRefused,
  CategoryChanged,
  CategoryActionRefused,
  RepoChanged,
  RepoActionRefused,
  PackageRefused,
  ChartFetched,
  ChartRefused,
].map(({ type }) => type);

/** Nouns whose facts an act on another one can end in: an application moves by its versions, a package makes one. */
const FURTHER: Readonly<Record<string, string>> = { app: "version", package: "version" };

/** The facts that an act of this type can end in: looking through fewer types is quicker. */
function outcomesOf(type: string): readonly string[] {
  const noun = nounOf(type);
  return OUTCOMES.filter((each) => nounOf(each) === noun || nounOf(each) === FURTHER[noun]);
}

/** The noun of a type: io.openpitrix.<noun>.… */
function nounOf(type: string): string {
  return type.split(".")[2] ?? "";
}

/** How long an answer waits for the outcome; looking through large packages takes longer, most of all several at once. */
const WAIT_MS = 10_000;
const PACKAGE_WAIT_MS = 40_000;

/** How far back a repeated request looks for the outcome of the first: the stream's own duplicate window. */
const REPEAT_MS = 30 * 60_000;

/**
 * Announces an act as the caller's and gives the fact that it led to. Throws the refusal as an error of HTTP, and 504
 * with the event's id where none came in time. With `Idempotency-Key` the same request again is the same act.
 */
export async function act(call: Call, announcement: Announcement<Emitted>): Promise<Event> {
  const { ports } = call;
  const occurrence = occurrenceOf(call);
  const known = occurrence.id === undefined ? undefined : await earlier(call, announcement, occurrence.id);
  if (known) return accepted(known);
  const timeoutMs = nounOf(announcement.type) === "package" ? PACKAGE_WAIT_MS : WAIT_MS;
  const awaited = { types: outcomesOf(announcement.type), timeoutMs, signal: ports.signal };
  const { event, outcome } = await ports.outcomes.after(() => ports.publish(announcement, occurrence), awaited);
  if (outcome) return accepted(outcome);
  const where = `GET /kapis/openpitrix.io/outcomes/${event.id}`;
  throw new RestError(
    504,
    `no outcome within ${timeoutMs / 1000} s; the act is kept and goes on: ${where} tells of it`,
  );
}

/** Whose act it is; with `Idempotency-Key` it has an id that the same person's same request has again. */
export function occurrenceOf({ request, user }: Call): { readonly operator: string; readonly id?: string } {
  const key = request.headers["idempotency-key"];
  return { operator: user.name, ...(key === undefined ? {} : { id: sha256(`${user.name}\0${key}`) }) };
}

/** What the same request has led to before, if it was sent before. */
function earlier(call: Call, announcement: Announcement<Emitted>, id: string): Promise<Event | undefined> {
  const { id: cause } = begin("rest-gateway", announcement, { id, now: call.ports.clock.now() });
  return call.ports.outcomes.find(cause, { types: outcomesOf(announcement.type), sinceMs: REPEAT_MS });
}

/** What an event of the last half hour has led to. */
export function outcomeOf({ ports }: Call, cause: string): Promise<Event | undefined> {
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
  CategoryNotFound: 404,
  RepoNotFound: 404,
  BeingDeleted: 409,
  InReview: 409,
  AttachmentInUse: 409,
  HasVersions: 500,
  NameTaken: 500,
  CategoryInUse: 500,
  VersionExists: 500,
  NotADraft: 500,
  ChartNameMismatch: 500,
  InvalidSettings: 500,
};

/** What KubeSphere calls some refusals, in front of what is to be said of this one (§2.2, §2.3). */
const NAMES: Readonly<Record<string, string>> = {
  IllegalTransition: "app_version_incorrect_status",
  VersionExists: "application version exists",
};

const REFUSALS = [
  VersionActionRefused,
  AppActionRefused,
  AttachmentActionRefused,
  CategoryActionRefused,
  RepoActionRefused,
  PackageRefused,
  ChartRefused,
];

interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/** The outcome if it is none that refuses; else the refusal as an error of HTTP. */
export function accepted(outcome: Event): Event {
  if (!REFUSALS.some(({ type }) => type === outcome.type)) return outcome;
  const { reason, message } = outcome.data as Refusal;
  const name = NAMES[reason];
  throw new RestError(STATUS[reason] ?? 400, name === undefined ? message : `${name}: ${message}`);
}
