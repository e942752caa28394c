import { type Answer, defineCommand, UsageError } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import type { StoreApi } from "../store/api.ts";
import { conditionsText, moreLines, PAGE_OPTIONS, type PageValues, pageQuery } from "../store/list-options.ts";
import { workspacePath } from "../store/paths.ts";
import { App, listOf } from "../store/shapes.ts";
import { columns } from "../text.ts";

const STORE = "repo-helm";
const HEAD = ["id", "name", "state", "latest", "category", "workspace"];

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
    const repo_id = workspace === undefined ? (repo ?? STORE) : undefined;
    const conditions = conditionsText({ repo_id, keyword, status: state, category_id: category });
    const path = workspace === undefined ? "/apps" : `${workspacePath(workspace)}/apps`;
    return listApps(await context.store(options), { path, conditions, page: options });
  },
});

/** Which applications are listed. */
interface AppQuery {
  readonly path: string;
  readonly conditions: string | undefined;
  readonly page: PageValues;
}

async function listApps(store: StoreApi, { path, conditions, page }: AppQuery): Promise<Answer> {
  const query = { ...pageQuery(page), conditions };
  const hint = "see opx app list --help";
  const json = await store.call({ method: "GET", path, query, hint }, listOf(App));
  const rows = json.items.map((app) => [
    app.app_id,
    app.name,
    app.status,
    app.latest_app_version?.name ?? "",
    (app.category_set ?? []).map(({ name }) => name).join(" "),
    app.isv,
  ]);
  const lines = rows.length === 0 && json.total_count === 0 ? ["no applications"] : columns(HEAD, rows);
  return { json, lines: [...lines, ...moreLines(rows.length, json.total_count, page)] };
}
