import { STORE_REPO } from "../../../shared/resources/labels.ts";
import { defineCommand, UsageError } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { listApps } from "../store/list-apps.ts";
import { conditionsText, PAGE_OPTIONS } from "../store/list-options.ts";
import { workspacePath } from "../store/paths.ts";

/** opx app list */
export const appList = defineCommand({
  name: "app list",
  summary: "List applications: those of the store, of a workspace, or of a repository.",
  arguments: [],
  options: {
    workspace: { type: "string", value: "NAME", description: "applications that this workspace made" },
    repo: { type: "string", value: "ID", description: "applications of this repository" },
    keyword: { type: "string", value: "TEXT", description: "only with this in their name" },
    state: { type: "string", value: "STATE", description: "only in this state: draft, active or suspended" },
    category: { type: "string", value: "ID", description: "only of this category" },
    ...PAGE_OPTIONS,
    ...STORE_OPTIONS,
  },
  examples: ["app list", "app list --workspace demo --state draft", "app list --repo stable --keyword nginx --json"],
  async run({ options }, context) {
    const { workspace, repo, keyword, state, category } = options;
    if (workspace !== undefined && repo !== undefined)
      throw new UsageError("--workspace and --repo are two different lists; give one of them");
    const repo_id = workspace === undefined ? (repo ?? STORE_REPO) : undefined;
    const conditions = conditionsText({ repo_id, keyword, status: state, category_id: category });
    const path = workspace === undefined ? "/apps" : `${workspacePath(workspace)}/apps`;
    return listApps(await context.store(options), {
      path,
      query: { conditions },
      page: options,
      hint: "see opx app list --help",
    });
  },
});
