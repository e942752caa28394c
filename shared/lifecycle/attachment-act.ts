import { type Decision, refuse } from "../decision.ts";
import type { Event } from "../event.ts";
import { AttachmentActionRefused, AttachmentChanged } from "../events/attachment.ts";

/** What comes of an act on an attachment, which is bytes and no object. */
export type AttachmentDecision = Decision<typeof AttachmentChanged.type | typeof AttachmentActionRefused.type, never>;

/** The fact that an attachment is kept as a picture of that type; without one it is gone. */
export function attachmentChanged(attachment: string, mediaType: string | null, bytes: number) {
  return AttachmentChanged.of(attachmentSubject(attachment), { attachment, mediaType, bytes });
}

/** How events name an attachment. */
export function attachmentSubject(attachment: string): string {
  return `attachments/${attachment}`;
}

interface RefusedAct {
  readonly attachment: string;
  readonly action: string;
  readonly reason: string;
  readonly why: string;
}

/** Refuses an act on an attachment, with the fact that says so. */
export function refuseAttachment({ operator }: Event, { attachment, action, reason, why }: RefusedAct) {
  const told = { attachment, action, reason, message: why, ...(operator === undefined ? {} : { operator }) };
  return refuse(reason, why, { announce: [AttachmentActionRefused.of(attachmentSubject(attachment), told)] });
}
