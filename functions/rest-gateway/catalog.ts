import { searchCatalog } from "../../shared/catalog/search.ts";
import { appStatistics } from "../../shared/catalog/statistics.ts";
import { stateOf } from "../../shared/lifecycle/act.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { answered } from "../../shared/rest/answers.ts";
import { cut, pageOf } from "../../shared/rest/paging.ts";
import { baseId, isOfStore } from "../../shared/rest/shapes.ts";
import type { Handler } from "./call.ts";
import { shapeOfApp } from "./lookups.ts";

/** Finds applications of the store by words, best first, and says what the answer could be narrowed to. */
export const searchStore: Handler = async (call) => {
  const { kube } = call.ports;
  const { query } = call.request;
  const [apps, versions] = await Promise.all([kube.list(HelmApplication), kube.list(HelmApplicationVersion)]);
  const offered = versions.filter((version) => isOfStore(version) || stateOf(version) === "active");
  const byApp = Map.groupBy(offered, ({ metadata }) => metadata.labels?.[LABEL.appId] ?? "");
  const entries = apps
    .filter(isOfStore)
    .map((app) => ({ app, versions: byApp.get(baseId(app.metadata.name)) ?? byApp.get(app.metadata.name) ?? [] }));
  const question = { text: query.get("q") ?? "", ...narrowing(query) };
  const { entries: found, ...facets } = searchCatalog(entries, question);
  const { items, total } = cut(found, pageOf(query));
  const shown = await Promise.all(items.map(({ app }) => shapeOfApp(call, app)));
  return answered({ items: shown, total_count: total, facets });
};

/** Counts applications, versions and repositories (OpenPitrix's GetAppStatistics). */
export const countStore: Handler = async ({ ports: { kube, clock } }) => {
  const [apps, versions, repos] = await Promise.all([
    kube.list(HelmApplication),
    kube.list(HelmApplicationVersion),
    kube.list(HelmRepo),
  ]);
  return answered(appStatistics({ apps, versions, repos, now: clock.now() }));
};

function narrowing(query: URLSearchParams) {
  const of = (name: string) => query.get(name) || undefined;
  return { category: of("category"), keyword: of("keyword"), maintainer: of("maintainer") };
}
