import * as z from "zod";
import { defineEvent } from "../event.ts";
import { ping } from "../origin.ts";

/** Time to look for bytes that nothing names. */
export const StorageSweepTick = defineEvent({
  type: "storage.sweep.tick",
  summary: "Time to give up bytes that no object has named for long.",
  data: z.object({ dryRun: z.boolean().optional().describe("Only say what would be given up.") }),
  example: { dryRun: true },
  origin: ping("storage-sweep-tick", "17 3 * * *", {}),
});

const Swept = z.object({
  objects: z.int().describe("Number of blobs."),
  bytes: z.int().describe("Their size in bytes."),
});

/** Bytes were given up. */
export const StorageSwept = defineEvent({
  type: "storage.swept",
  summary: "What a look for bytes that nothing names came to.",
  data: z.object({
    dryRun: z.boolean().describe("Nothing was given up, this is only what would be."),
    uploads: Swept.describe("Uploads that are done with."),
    packages: Swept.describe("Chart packages that no HelmPackage and no version names."),
    indexes: Swept.describe("Indexes that no repository speaks of."),
    attachments: Swept.describe("Pictures that no application shows."),
    unusedPackages: z.int().describe("HelmPackages that were deleted, since no version has named them for long."),
    more: z.boolean().describe("There is more than one look takes away; the next one goes on."),
  }),
  example: {
    dryRun: false,
    uploads: { objects: 3, bytes: 41_000 },
    packages: { objects: 1, bytes: 9_000 },
    indexes: { objects: 0, bytes: 0 },
    attachments: { objects: 2, bytes: 80_000 },
    unusedPackages: 1,
    more: false,
  },
});
