import type { Answer } from "../command.ts";
import type { StoreApi } from "./api.ts";
import { list } from "./list.ts";
import type { PageValues } from "./list-options.ts";
import { App } from "./shapes.ts";

/** Which applications are listed. */
export interface AppQuery {
  readonly path: string;
  readonly conditions: string | undefined;
  readonly page: PageValues;
}

/** The applications in columns, one page of them. */
export function listApps(store: StoreApi, { path, conditions, page }: AppQuery): Promise<Answer> {
  return list(store, {
    path,
    query: { conditions },
    page,
    hint: "see opx app list --help",
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
