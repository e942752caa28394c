import * as z from "zod";
import { defineEvent } from "../event.ts";

const Workspace = { workspace: z.string().min(1).max(63).describe("Name of the workspace.") };

/** A workspace is gone, or is to be cleared. */
export const WorkspaceDeleted = defineEvent({
  type: "workspace.deleted",
  summary: "A workspace was deleted; what it has in the store is to go, or to be left without an owner.",
  data: z.object(Workspace),
  example: { workspace: "former-team" },
});

/** Nothing of a workspace is left in the store. */
export const WorkspaceCleared = defineEvent({
  type: "workspace.cleared",
  summary:
    "A workspace's releases, repositories and unpublished applications are gone; what is published has no owner.",
  data: z.object(Workspace),
  example: { workspace: "former-team" },
});
