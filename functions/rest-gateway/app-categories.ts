import { newestFirst } from "../../shared/charts/version.ts";
import type { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { LABEL, UNCATEGORIZED } from "../../shared/resources/labels.ts";
import { isBuiltin } from "../../shared/rest/shapes.ts";
import type { Call } from "./call.ts";

/** Finds the id of an application's category; `undefined` where it is in none. */
export type CategoryOf = (app: HelmApplication) => string | undefined;

/** The annotation by which a chart that came with KubeSphere names its category. */
const CATEGORY = "app.kubesphere.io/category";

/**
 * The categories of applications: what their labels say; for charts that came with KubeSphere what their newest version
 * says by the category's name, else the one for all such (§2.10).
 */
export async function categoriesOf({ ports }: Call, apps: readonly HelmApplication[]): Promise<CategoryOf> {
  const builtin = apps.filter((app) => isBuiltin(app) && labelled(app) === undefined);
  if (builtin.length === 0) return labelled;
  const ids = new Map((await ports.kube.list(HelmCategory)).map(({ spec, metadata }) => [spec.name, metadata.name]));
  const found = await Promise.all(
    builtin.map(async ({ metadata: { name } }) => {
      const versions = await ports.kube.list(HelmApplicationVersion, { labels: { [LABEL.appId]: name } });
      const said = newestFirst(versions, ({ spec }) => spec.version ?? "")[0]?.spec.annotations?.[CATEGORY];
      return [name, ids.get(said ?? "") ?? UNCATEGORIZED] as const;
    }),
  );
  const saidBy = new Map(found);
  return (app) => labelled(app) ?? saidBy.get(app.metadata.name);
}

function labelled({ metadata }: HelmApplication): string | undefined {
  return metadata.labels?.[LABEL.categoryId] || undefined;
}
