import * as z from "zod";
import { Conditions } from "../conditions.ts";
import { defineResource, type ObjectOf, withDefault } from "../resource.ts";
import { AGE, STATE, specColumn } from "./columns.ts";
import { Bytes, Engine, HelmReleaseName, LabelSelector, ObservedGeneration } from "./fields.ts";

const spec = z.object({
  name: HelmReleaseName.describe("Name that the Helm release shall have."),
  description: z.string().optional().describe("What the release is for."),
  appId: z.string().max(253).optional().describe("HelmApplication that is asked for."),
  appVerId: z.string().min(1).max(253).describe("HelmApplicationVersion that is asked for."),
  values: Bytes.optional().describe("Text of a values.yaml."),
  namespace: z.string().min(1).max(63).optional().describe("Namespace to install into."),
  selector: LabelSelector.optional().describe("Labels of the namespace to install into, instead of its name."),
  engine: withDefault(Engine, "helm").describe("What carries the release out."),
  creator: z.string().max(253).optional().describe("Who asks."),
});

const ReleaseRef = z.object({
  namespace: z.string().max(63).describe("Namespace of the HelmRelease."),
  name: z.string().max(253).describe("Name of the HelmRelease."),
});

const status = z.object({
  state: z
    .enum(["Pending", "NeedsChoice", "Failed", "Accepted"])
    .optional()
    .describe("Whether the request was followed; NeedsChoice: set spec.namespace to one of the candidates."),
  message: z.string().max(1024).optional().describe("Why, and what to do next."),
  conditions: Conditions,
  candidates: z.array(z.string().max(63)).max(50).optional().describe("Namespaces that the selector matches."),
  release: ReleaseRef.optional().describe("HelmRelease that was made for the request."),
  observedGeneration: ObservedGeneration,
});

/** Somebody's wish to have a version of an application installed somewhere. */
export const HelmRequest = defineResource({
  kind: "HelmRequest",
  shortNames: ["hreq"],
  scope: "Cluster",
  summary: "Who wants which version where, with which values; becomes a HelmRelease.",
  spec,
  status,
  columns: [
    specColumn("Release Name", "name"),
    specColumn("Version", "appVerId"),
    specColumn("Namespace", "namespace"),
    STATE,
    AGE,
  ],
  rules: [
    {
      at: "spec",
      // namespace is a keyword of CEL, hence the underscores.
      rule: "has(self.__namespace__) != has(self.selector)",
      message: "set exactly one of namespace and selector",
    },
  ],
});
export type HelmRequest = ObjectOf<typeof HelmRequest>;
