import * as z from "zod";
import { Conditions } from "../conditions.ts";
import { defineResource, type ObjectOf } from "../resource.ts";
import { AGE, specColumn } from "./columns.ts";
import { ObservedGeneration } from "./fields.ts";

const spec = z.object({
  name: z.string().describe("Name to show, unique in the store."),
  description: z.string().optional().describe("KubeSphere's console keeps the word for the icon here."),
  locale: z.string().optional().describe("Names in other languages: JSON text from locale to name."),
});

const status = z.object({
  total: z.int().describe("Active applications of the store in this category."),
  countedFrom: z.string().max(128).optional().describe("Digest of the applications that were counted."),
  conditions: Conditions,
  observedGeneration: ObservedGeneration,
});

/** A shelf of the store. */
export const HelmCategory = defineResource({
  kind: "HelmCategory",
  shortNames: ["hctg"],
  scope: "Cluster",
  summary: "A category of applications in the store.",
  spec,
  status,
  columns: [specColumn("name", "name"), { name: "total", type: "string", jsonPath: ".status.total" }, AGE],
});
export type HelmCategory = ObjectOf<typeof HelmCategory>;
