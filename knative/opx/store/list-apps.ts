import type { Answer } from "../command.ts";
import type { StoreApi } from "./api.ts";
import { type ListQuery, list } from "./list.ts";
import { App } from "./shapes.ts";

/** Which applications are listed. */
export type AppQuery = Pick<ListQuery<typeof App>, "base" | "path" | "query" | "page" | "hint">;

/** The applications in columns, one page of them. */
export function listApps(store: StoreApi, query: AppQuery): Promise<Answer> {
  return list(store, {
    ...query,
    item: App,
    head: ["id", "name", "state", "latest", "category", "workspace"],
    row: ({ app_id, name, status, latest_app_version, category_set, isv }) => [
      app_id,
      name,
      status,
      latest_app_version?.name ?? "",
      (category_set ?? []).map((category) => category.name).join(" "),
      isv,
    ],
    none: "no applications",
  });
}
