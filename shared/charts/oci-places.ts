import { Failure } from "../errors.ts";
import { excerpt } from "./excerpt.ts";
import type { ChartRepository } from "./oci-listing.ts";
import { formatOciReference, isOciRepository, type OciReference } from "./oci-reference.ts";

const MAX_CHARTS = 10_000;

/** Where the charts are that a repository names: right below its address. Fails with Invalid for what is no such name. */
export function namedPlaces(at: OciReference, charts: readonly string[]): readonly ChartRepository[] {
  return [...new Set(charts)].map((chart) => {
    const place = below(at, chart);
    if (place) return place;
    const why = "is no name of a chart in a registry (a-z 0-9 . _ -; a path belongs into spec.url)";
    throw new Failure("Invalid", `spec.charts: "${excerpt(chart)}" ${why}`);
  });
}

/** The one chart that an address names; `undefined` for a whole registry. */
export function placeItself({ host, repository }: OciReference): ChartRepository | undefined {
  return repository === "" ? undefined : { chart: repository.slice(repository.lastIndexOf("/") + 1), host, repository };
}

/**
 * What a catalog shows of an address. Helm pushes a chart right below the address it is given; what lies deeper belongs to
 * another one. Fails with TooLarge where that is too much for one repository.
 */
export function catalogPlaces(
  at: OciReference,
  names: readonly string[],
): { readonly direct: readonly ChartRepository[]; readonly deeper: readonly ChartRepository[] } {
  const { host } = at;
  const prefix = at.repository === "" ? "" : `${at.repository}/`;
  const inside = [...new Set(names)].filter((name) => name.startsWith(prefix) && isOciRepository(name));
  const places = inside.map((repository) => ({ chart: repository.slice(prefix.length), host, repository }));
  const direct = places.filter(({ chart }) => !chart.includes("/"));
  if (direct.length > MAX_CHARTS) {
    const found = `registry ${host} has ${direct.length} repositories below /${at.repository}`;
    throw new Failure("TooLarge", `${found}, more than ${MAX_CHARTS}; name the charts in spec.charts`);
  }
  return { direct, deeper: places.filter(({ chart }) => chart.includes("/")) };
}

/** The address right below which a chart lies. */
export function parentOf({ host, repository }: ChartRepository): string {
  return formatOciReference({ host, repository: repository.slice(0, repository.lastIndexOf("/")) });
}

/** Where a pushed chart can be, none where it is not the repository's; the address of one chart ends in its name. */
export function pushedPlaces(at: OciReference, charts: readonly string[], chart: string): readonly ChartRepository[] {
  if (charts.length > 0 && !charts.includes(chart)) return [];
  const itself = charts.length === 0 ? placeItself(at) : undefined;
  return [itself?.chart === chart ? itself : undefined, below(at, chart)].filter((place) => place !== undefined);
}

function below({ host, repository }: OciReference, chart: string): ChartRepository | undefined {
  const path = repository === "" ? chart : `${repository}/${chart}`;
  return chart.includes("/") || !isOciRepository(path) ? undefined : { chart, host, repository: path };
}
