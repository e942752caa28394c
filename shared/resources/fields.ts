import * as z from "zod";

/** Bytes in base64, as Kubernetes carries them in JSON. */
export const Bytes = z.string().meta({ format: "byte" });

/** `metadata.generation` that the status speaks of. */
export const ObservedGeneration = z
  .int()
  .min(0)
  .optional()
  .describe("metadata.generation that this status was worked out for; smaller than the object's means outdated.");

/** Selects objects by labels: all must have exactly these values. */
export const LabelSelector = z.object({
  matchLabels: z.record(z.string(), z.string()).describe("Labels that must all be there with these values."),
});

/** Name of a Helm release: at most 53 characters, since Helm adds to it, in the form of a DNS name. */
export const HelmReleaseName = z
  .string()
  .min(1)
  .max(53)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);

/** Digest of immutable bytes. */
export const Sha256 = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .describe("Digest of the bytes, sha256:<64 hex digits>.");

/** What carries out a release in a cluster. */
export const Engine = z.enum(["helm", "fluxcd", "argocd"]);
