import { eventName } from "../shared/event.ts";
import type { DefinedFunction } from "../shared/function.ts";
import type { DefinedHttpFunction, HttpFunction } from "../shared/http-function.ts";
import type { FunctionIdentity } from "../shared/run.ts";
import appChanged from "./app-changed/function.ts";
import appDeleted from "./app-deleted/function.ts";
import appEdited from "./app-edited/function.ts";
import appRecovered from "./app-recovered/function.ts";
import appSuspended from "./app-suspended/function.ts";
import attachmentDeleted from "./attachment-deleted/function.ts";
import attachmentUploaded from "./attachment-uploaded/function.ts";
import categoryCreated from "./category-created/function.ts";
import categoryDeleted from "./category-deleted/function.ts";
import categoryEdited from "./category-edited/function.ts";
import chartRepository from "./chart-repository/function.ts";
import chartRequested from "./chart-requested/function.ts";
import eventIntake from "./event-intake/function.ts";
import metrics from "./metrics/function.ts";
import packageReplaced from "./package-replaced/function.ts";
import packageUploaded from "./package-uploaded/function.ts";
import releaseChanged from "./release-changed/function.ts";
import releaseCheckTick from "./release-check-tick/function.ts";
import releaseRequested from "./release-requested/function.ts";
import repoAdded from "./repo-added/function.ts";
import repoDeleted from "./repo-deleted/function.ts";
import repoEdited from "./repo-edited/function.ts";
import repoSyncContinued from "./repo-sync-continued/function.ts";
import repoSyncRequested from "./repo-sync-requested/function.ts";
import repoSyncStarted from "./repo-sync-started/function.ts";
import repoSyncTick from "./repo-sync-tick/function.ts";
import repoSynced from "./repo-synced/function.ts";
import resourceChanged from "./resource-changed/function.ts";
import resourceResyncTick from "./resource-resync-tick/function.ts";
import restGateway from "./rest-gateway/function.ts";
import storageSweepTick from "./storage-sweep-tick/function.ts";
import verificationRequested from "./verification-requested/function.ts";
import versionActionRefused from "./version-action-refused/function.ts";
import versionApproved from "./version-approved/function.ts";
import versionCancelled from "./version-cancelled/function.ts";
import versionDeleted from "./version-deleted/function.ts";
import versionEdited from "./version-edited/function.ts";
import versionRecovered from "./version-recovered/function.ts";
import versionRejected from "./version-rejected/function.ts";
import versionReleased from "./version-released/function.ts";
import versionReviewStarted from "./version-review-started/function.ts";
import versionStateChanged from "./version-state-changed/function.ts";
import versionSubmitted from "./version-submitted/function.ts";
import versionSuspended from "./version-suspended/function.ts";
import webhookIntake from "./webhook-intake/function.ts";
import webhookReceived from "./webhook-received/function.ts";
import workspaceDeleted from "./workspace-deleted/function.ts";

/** Every function that handles events, in the order of an application's life; nothing is discovered at run time. */
export const functions: readonly FunctionIdentity[] = [
  named(resourceChanged),
  named(resourceResyncTick),
  named(repoAdded),
  named(repoEdited),
  named(repoDeleted),
  named(repoSyncTick),
  named(webhookReceived),
  named(repoSyncRequested),
  named(repoSyncStarted),
  named(repoSyncContinued),
  named(repoSynced),
  named(verificationRequested),
  named(packageUploaded),
  named(packageReplaced),
  named(versionEdited),
  named(versionSubmitted),
  named(versionCancelled),
  named(versionReviewStarted),
  named(versionApproved),
  named(versionRejected),
  named(versionReleased),
  named(versionSuspended),
  named(versionRecovered),
  named(versionDeleted),
  named(versionActionRefused),
  named(versionStateChanged),
  named(attachmentUploaded),
  named(attachmentDeleted),
  named(appChanged),
  named(appEdited),
  named(appSuspended),
  named(appRecovered),
  named(appDeleted),
  named(categoryCreated),
  named(categoryEdited),
  named(categoryDeleted),
  named(chartRequested),
  named(releaseRequested),
  named(releaseChanged),
  named(releaseCheckTick),
  named(workspaceDeleted),
  named(storageSweepTick),
];

/** Every function that answers HTTP requests and begins chains of events. */
export const httpFunctions: readonly HttpFunction[] = [
  http(restGateway),
  http(chartRepository),
  http(eventIntake),
  http(webhookIntake),
  http(metrics),
];

/** A function bears the name of the event that it handles, as its folder does. */
function named(definition: DefinedFunction<never, never, unknown>): FunctionIdentity {
  return { name: eventName(definition.on), function: definition as unknown as FunctionIdentity["function"] };
}

/** An HTTP function bears its own name, as its folder does. */
function http(definition: DefinedHttpFunction<never>): HttpFunction {
  return definition as unknown as HttpFunction;
}
