import * as z from "zod";
import { Conditions } from "../conditions.ts";
import { AppState } from "../lifecycle/states.ts";
import { defineResource, type ObjectOf, Timestamp } from "../resource.ts";
import { AGE, labelColumn, STATE, specColumn } from "./columns.ts";
import { ObservedGeneration } from "./fields.ts";
import { LABEL } from "./labels.ts";

const spec = z.object({
  name: z.string().describe("Name to show, unique in its workspace."),
  description: z.string().optional().describe("What the application does."),
  abstraction: z.string().optional().describe("Introduction in one line."),
  appHome: z.string().optional().describe("Home page of the application."),
  icon: z.string().optional().describe("Address of a picture, or id of an attachment."),
  attachments: z.array(z.string()).optional().describe("Ids of attached screenshots."),
});

const status = z.object({
  latestVersion: z.string().optional().describe("Name of the highest version; empty when there is none."),
  state: AppState.optional().describe("What follows from the versions: active as soon as one of them is."),
  statusTime: Timestamp.describe("When the state last changed."),
  updateTime: Timestamp.describe("When the state or the latest version last changed."),
  derivedFrom: z.string().max(128).optional().describe("Digest of the versions' states that this status follows from."),
  conditions: Conditions,
  observedGeneration: ObservedGeneration,
});

/** An application of the store; its versions are objects of their own. */
export const HelmApplication = defineResource({
  kind: "HelmApplication",
  shortNames: ["happ"],
  scope: "Cluster",
  summary: "An application that the store offers or prepares; its versions are HelmApplicationVersions.",
  spec,
  status,
  columns: [specColumn("application name", "name"), labelColumn("workspace", LABEL.workspace), STATE, AGE],
});
export type HelmApplication = ObjectOf<typeof HelmApplication>;
