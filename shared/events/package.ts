import * as z from "zod";
import { defineEvent } from "../event.ts";

const Digest = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .describe("Digest of the bytes, sha256:<hex>.");

/** What Kubernetes takes as the value of a label. */
const LabelValue = z
  .string()
  .max(63)
  .regex(/^[a-zA-Z0-9]([-a-zA-Z0-9_.]*[a-zA-Z0-9])?$/);

/** Somebody put chart bytes into the upload bucket. */
export const PackageUploaded = defineEvent({
  type: "package.uploaded",
  summary: "A chart package lies in the upload bucket under its digest and waits to be checked and taken in.",
  data: z.object({
    digest: Digest,
    workspace: LabelValue.describe("Workspace that will own the application."),
    app: LabelValue.optional().describe("Existing HelmApplication; default: found or made by chart name."),
    filename: z.string().max(255).optional().describe("What the uploader called the file."),
  }),
  example: { digest: `sha256:${"ab".repeat(32)}`, workspace: "demo", filename: "podinfo-6.5.0.tgz" },
});

/** Somebody put chart bytes into the upload bucket that a draft is to hold from now on. */
export const PackageReplaced = defineEvent({
  type: "package.replaced",
  summary: "A chart package lies in the upload bucket and is to take the place of a draft's package.",
  data: z.object({
    version: z.string().min(1).max(253).describe("HelmApplicationVersion name; a draft of the same chart."),
    digest: Digest,
    filename: z.string().max(255).optional().describe("What the uploader called the file."),
  }),
  example: { version: "appv-n04mj714o54k56", digest: `sha256:${"ab".repeat(32)}`, filename: "podinfo-6.5.1.tgz" },
});

/** A package was not taken in. */
export const PackageRefused = defineEvent({
  type: "package.refused",
  summary: "A chart package was refused; the HelmPackage says why.",
  data: z.object({ digest: Digest, package: z.string(), reason: z.string(), message: z.string().max(1024) }),
  example: {
    digest: `sha256:${"ab".repeat(32)}`,
    package: `pkg-${"ab".repeat(16)}`,
    reason: "UnsafePath",
    message: "the archive holds ../evil.sh, which leaves the chart's folder",
  },
});
