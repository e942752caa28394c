import * as z from "zod";
import { defineEvent } from "../event.ts";

const Name = z.string().min(1).max(253);
const version = "appv-n04mj714o54k56";

/** Signatures of some versions are to be looked at. */
export const VerificationRequested = defineEvent({
  type: "verification.requested",
  summary: "The signatures of some versions of a repository should be checked before anybody installs them.",
  data: z.object({
    repo: Name.describe("HelmRepo name."),
    versions: z.array(Name).min(1).max(20).describe("HelmApplicationVersion names."),
    mark: z.string().max(128).describe("Digest of the demands and keys to check against."),
  }),
  example: { repo: "repo-300m50zn91nwz5", versions: [version], mark: `sha256:${"ab".repeat(32)}` },
});

/** Signatures of a version were looked at. */
export const VerificationCompleted = defineEvent({
  type: "verification.completed",
  summary: "The signatures of a version were checked; its condition Verified says the same.",
  data: z.object({
    version: Name.describe("HelmApplicationVersion name."),
    verified: z.boolean().describe("Whether every signature that is asked for holds."),
    reason: z.string().describe("One CamelCase word for programs."),
    message: z.string().max(1024).describe("One sentence for people."),
    digest: z.string().optional().describe("Digest of the package that the signatures speak of."),
  }),
  example: {
    version,
    verified: false,
    reason: "SignatureMissing",
    message: "https://charts.example.com/web-1.0.0.tgz.prov does not exist; publish it beside the package",
  },
});
