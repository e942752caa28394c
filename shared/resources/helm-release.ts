import * as z from "zod";
import { Conditions } from "../conditions.ts";
import { defineResource, type ObjectOf, Timestamp, withDefault } from "../resource.ts";
import { AGE, labelColumn, STATE, specColumn } from "./columns.ts";
import { Bytes, Engine, ObservedGeneration } from "./fields.ts";
import { LABEL } from "./labels.ts";
import { Verification } from "./verification.ts";

/** States of a release as KubeSphere 3.4 writes them. */
export const ReleaseState = z.enum([
  "creating",
  "created",
  "active",
  "upgrading",
  "upgraded",
  "rollbacking",
  "failed",
  "deleting",
]);
export type ReleaseState = z.output<typeof ReleaseState>;

const spec = z.object({
  name: z.string().describe("Name of the Helm release."),
  description: z.string().optional().describe("What the release is for."),
  values: Bytes.optional().describe("Text of a values.yaml."),
  chartName: z.string().describe("Name of the chart."),
  chartVersion: z.string().describe("Version of the chart."),
  chartAppVer: z.string().optional().describe("Version of the software that the chart installs."),
  repoId: z.string().optional().describe("HelmRepo the chart comes from; repo-helm: the store; empty: an upload."),
  appId: z.string().optional().describe("HelmApplication that is installed."),
  appVerId: z.string().optional().describe("HelmApplicationVersion that is installed."),
  version: z.int().describe("Counted up by every wish to change the release; the first is 1."),
  engine: withDefault(Engine, "helm").describe("What carries the release out."),
  package: z.string().max(253).optional().describe("HelmPackage that is installed."),
});

const DeployStatus = z.object({
  message: z.string().optional().describe("What went wrong."),
  state: z.string().describe("State that this try led to."),
  deployTime: Timestamp.describe("When it was tried."),
});

const status = z.object({
  state: ReleaseState.describe("Where the release stands."),
  message: z.string().optional().describe("What went wrong last."),
  version: z.int().optional().describe("spec.version that was last applied with success; 0: none."),
  deployStatus: z.array(DeployStatus).max(20).optional().describe("The last tries, newest first."),
  lastUpdate: Timestamp.optional().describe("When this status was last written."),
  lastDeployed: Timestamp.optional().describe("When Helm last installed or upgraded."),
  conditions: Conditions,
  observedGeneration: ObservedGeneration,
  revision: z.int().min(0).optional().describe("Revision of the Helm release."),
  mark: z.string().max(128).optional().describe("Digest of chart and values as they were applied."),
  packageDigest: z.string().max(128).optional().describe("Digest of the chart package that was applied."),
  verification: Verification.optional().describe("Signatures that were found before this was installed."),
  checks: z.int().min(0).optional().describe("Times that readiness was looked at since the last change."),
});

/** A chart installed into the namespace that the object lives in. */
export const HelmRelease = defineResource({
  kind: "HelmRelease",
  shortNames: ["hrls"],
  scope: "Namespaced",
  summary: "A version of an application installed, or to be installed, into this namespace.",
  spec,
  status,
  columns: [
    specColumn("Release Name", "name"),
    labelColumn("Workspace", LABEL.workspace),
    labelColumn("Cluster", LABEL.cluster),
    labelColumn("Namespace", LABEL.namespace),
    STATE,
    AGE,
  ],
  rules: [
    {
      at: "spec",
      rule: "self.name == oldSelf.name",
      message: "an installed release cannot be renamed; make another one and delete this",
    },
  ],
});
export type HelmRelease = ObjectOf<typeof HelmRelease>;
