import type { Answer } from "../command.ts";
import { columns } from "../text.ts";
import type { StoreApi } from "./api.ts";
import { moreLines, type PageValues, pageQuery } from "./list-options.ts";
import { App, listOf } from "./shapes.ts";

const HEAD = ["id", "name", "state", "latest", "category", "workspace"];

/** Which applications are listed. */
interface AppQuery {
  readonly path: string;
  readonly conditions: string | undefined;
  readonly page: PageValues;
}

/** The applications in columns, one page of them. */
export async function listApps(store: StoreApi, { path, conditions, page }: AppQuery): Promise<Answer> {
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
