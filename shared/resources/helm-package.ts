import * as z from "zod";
import { Conditions } from "../conditions.ts";
import { defineResource, type ObjectOf, Timestamp } from "../resource.ts";
import { CHART_METADATA } from "./chart-metadata.ts";
import { AGE, READY, specColumn } from "./columns.ts";
import { ObservedGeneration, Sha256 } from "./fields.ts";

const spec = z.object({
  ...CHART_METADATA,
  digest: Sha256,
  size: z.int().min(0).describe("Bytes of the package."),
  filename: z.string().max(255).optional().describe("What the uploader called the file."),
});

const status = z.object({
  conditions: Conditions,
  files: z.int().optional().describe("Files in the package."),
  warnings: z.array(z.string().max(1024)).max(50).optional().describe("What is odd but allowed."),
  checkedTime: Timestamp.optional().describe("When the package was last checked."),
  observedGeneration: ObservedGeneration,
});

/** A chart package, named after its bytes: the same bytes are the same package. */
export const HelmPackage = defineResource({
  kind: "HelmPackage",
  shortNames: ["hpkg"],
  scope: "Cluster",
  summary: "A chart package. The object never changes; the bytes lie in the object store under their digest.",
  spec,
  status,
  columns: [
    specColumn("Name", "name"),
    specColumn("Version", "version"),
    { name: "Size", type: "integer", jsonPath: ".spec.size" },
    READY,
    AGE,
  ],
  rules: [
    {
      at: "spec",
      rule: "self == oldSelf",
      message: "a package never changes; upload the new bytes as another package",
    },
  ],
});
export type HelmPackage = ObjectOf<typeof HelmPackage>;
