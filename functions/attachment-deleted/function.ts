import { change } from "../../shared/decision.ts";
import { AttachmentActionRefused, AttachmentChanged, AttachmentDeleted } from "../../shared/events/attachment.ts";
import { defineFunction } from "../../shared/function.ts";
import { type AttachmentDecision, attachmentChanged, refuseAttachment } from "../../shared/lifecycle/attachment-act.ts";
import { isAttachmentId } from "../../shared/pictures.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { ADMINISTERED, IN_STORE } from "../../shared/resources/labels.ts";

/** A picture goes once no application shows it; what nobody deletes is swept some day. */
export default defineFunction({
  on: AttachmentDeleted,
  summary: "Deletes a picture that no application shows.",
  emits: [AttachmentChanged, AttachmentActionRefused],
  reads: [HelmApplication],
  writes: [],
  timeoutMs: 20_000,
  gather: async (_event, { kube }) => [
    ...(await kube.list(HelmApplication, ADMINISTERED)),
    ...(await kube.list(HelmApplication, IN_STORE)),
  ],
  decide: (apps: readonly HelmApplication[], event): AttachmentDecision => {
    const { attachment } = event.data;
    const user = apps.find(({ spec }) => spec.icon === attachment || spec.attachments?.includes(attachment));
    if (user) {
      const why = `attachment ${attachment} is shown by application ${user.metadata.name}; take it away there first`;
      return refuseAttachment(event, { attachment, action: "delete", reason: "AttachmentInUse", why });
    }
    const forget = isAttachmentId(attachment) ? [{ bucket: "attachments" as const, key: attachment }] : [];
    return change({ forget, announce: [attachmentChanged(attachment, null, 0)] });
  },
});
