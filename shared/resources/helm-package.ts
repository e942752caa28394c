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

const Finding = z.object({
  severity: z.enum(["error", "warning", "info"]).describe("How bad it is, in the words of helm lint."),
  path: z.string().max(256).describe("File or folder that it is about; empty for the whole chart."),
  message: z.string().max(512).describe("What was found."),
});

const Dependency = z.object({
  name: z.string().max(256).describe("Name of the chart that is needed."),
  version: z.string().max(256).describe("Version or range of versions that will do."),
  vendored: z.boolean().describe("Whether the package brings it along."),
});

const status = z.object({
  conditions: Conditions,
  files: z.int().optional().describe("Files in the package."),
  findings: z.array(Finding).max(100).optional().describe("What helm lint and the store have to say, the worst first."),
  images: z
    .array(z.string().max(512))
    .max(100)
    .optional()
    .describe("Images that the chart names, without rendering it."),
  crds: z
    .array(z.string().max(256))
    .max(200)
    .optional()
    .describe("Custom resource definitions that it installs first."),
  dependencies: z.array(Dependency).max(100).optional().describe("Charts that it needs."),
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
    { name: "Lint", type: "string", jsonPath: '.status.conditions[?(@.type=="Linted")].reason' },
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
