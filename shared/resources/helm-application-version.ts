import * as z from "zod";
import { Conditions } from "../conditions.ts";
import { Action, ReviewStep, VersionState } from "../lifecycle/states.ts";
import { firstStateRule, packageRule, transitionRule } from "../lifecycle/transitions.ts";
import { defineResource, type ObjectOf, Timestamp } from "../resource.ts";
import { CHART_METADATA } from "./chart-metadata.ts";
import { AGE, STATE, specColumn } from "./columns.ts";
import { Bytes, ObservedGeneration } from "./fields.ts";
import { Verification } from "./verification.ts";

const spec = z.object({
  ...CHART_METADATA,
  urls: z.array(z.string()).optional().describe("Where the repository offers the package."),
  digest: z.string().optional().describe("Digest of the package as the repository states it."),
  created: Timestamp.optional().describe("When the package was made or uploaded."),
  data: Bytes.optional().describe("Bytes of a package on their way in; never kept."),
  dataKey: z.string().optional().describe("Key of the stored package in KubeSphere's object store."),
  package: z.string().max(253).optional().describe("HelmPackage that holds the bytes."),
});

const Audit = z.object({
  message: z.string().optional().describe("What the acting person said."),
  state: VersionState.optional().describe("State after the act."),
  time: Timestamp.describe("When it happened."),
  operator: z.string().optional().describe("Who acted."),
  operatorType: z.string().optional().describe("Role in which the person acted."),
  event: z.string().max(256).optional().describe("Id of the event that carried the act."),
  from: VersionState.optional().describe("State before the act."),
  action: Action.optional().describe("What was done; absent: the version was made."),
  step: ReviewStep.optional().describe("Step of the review that the act belongs to."),
  sequence: z.int().min(1).optional().describe("Number of the entry in the version's whole history, from 1."),
  previous: z.string().max(128).optional().describe("Hash of the entry before this one."),
  hash: z.string().max(128).optional().describe("SHA-256 over this entry and the hash before it: tampering shows."),
});

const Refusal = z.object({
  event: z.string().max(256).describe("Id of the event that carried the act."),
  action: Action.describe("What was asked for."),
  state: VersionState.describe("State that the version was in."),
  reason: z.string().max(64).describe("One CamelCase word for programs."),
  message: z.string().max(1024).describe("Why it was refused."),
  time: Timestamp.describe("When it was refused."),
  operator: z.string().optional().describe("Who acted."),
});

const Phase = z.object({
  step: ReviewStep.describe("Which step of the review."),
  state: z.enum(["in-review", "passed", "rejected"]).describe("How the step stands."),
  reviewer: z.string().optional().describe("Who took the step, and then who decided it."),
  time: Timestamp.describe("When the step came to stand so."),
  message: z.string().optional().describe("What the reviewer said."),
});

const Review = z.object({
  submission: z.string().max(256).describe("Id of the event that submitted the version."),
  submitter: z.string().optional().describe("Who submitted it."),
  time: Timestamp.describe("When it was submitted."),
  phases: z.array(Phase).max(5).describe("Steps taken so far, in their order."),
});

const status = z.object({
  state: VersionState.optional().describe("Where the version stands on its way into the store; none means draft."),
  audit: z.array(Audit).max(20).optional().describe("The last acts, newest first."),
  refusals: z.array(Refusal).max(20).optional().describe("The last acts that were refused, newest first."),
  review: Review.optional().describe("The last review: who submitted, and how each step stands."),
  verification: Verification.optional().describe("What the last look at the signatures found."),
  conditions: Conditions,
  observedGeneration: ObservedGeneration,
});

/** One version of an application, from draft to active. */
export const HelmApplicationVersion = defineResource({
  kind: "HelmApplicationVersion",
  shortNames: ["happver"],
  scope: "Cluster",
  summary: "One version of an application and how far it has come on its way into the store.",
  spec,
  status,
  columns: [specColumn("application name", "name"), STATE, AGE],
  rules: [
    {
      at: "object",
      rule: "!has(oldSelf.status) || has(self.status)",
      message: "the state of a version cannot be taken back; move it with an act instead",
    },
    {
      at: "object",
      rule: firstStateRule(),
      message: "a version with a package starts as a draft; move it with acts",
    },
    {
      at: "object",
      rule: packageRule(),
      message: "the package of a version changes in draft or rejected only; make another version",
    },
    {
      at: "status",
      rule: transitionRule(),
      message: "no act leads from the state this version is in to that one; see the table of legal acts",
    },
  ],
});
export type HelmApplicationVersion = ObjectOf<typeof HelmApplicationVersion>;
