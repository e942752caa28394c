import { indexText } from "../../shared/charts/index-text.ts";
import { sha256 } from "../../shared/digest.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { type Published, publishedOn } from "./published.ts";

/** A Helm index with what tells whether it has changed. */
export interface IndexYaml {
  readonly text: string;
  readonly etag: string;
}

/** Indexes of one state of all versions, by shelf; a list that has not changed is the same list. */
const known = new WeakMap<readonly HelmApplicationVersion[], Map<string, IndexYaml>>();

/** The index of a shelf as `helm repo index` writes it: the same versions give the same bytes. */
export function indexYaml(versions: readonly HelmApplicationVersion[], workspace: string | undefined): IndexYaml {
  const shelves = known.get(versions) ?? new Map<string, IndexYaml>();
  known.set(versions, shelves);
  const found = shelves.get(workspace ?? "");
  if (found) return found;
  const offered = publishedOn(versions, workspace).filter(({ suspended }) => !suspended);
  const text = indexText({
    entries: Object.fromEntries(
      [...Map.groupBy(offered, ({ name }) => name)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, entries]) => [name, entries.map(entryOf)]),
    ),
    generated: generatedAt(offered),
  });
  const index = { text, etag: `"${sha256(text).slice(7, 39)}"` };
  shelves.set(workspace ?? "", index);
  return index;
}

function entryOf({ object, digest, name, version }: Published) {
  const { created = object.metadata.creationTimestamp } = object.spec;
  return {
    ...chartFields(object),
    created,
    digest: digest.replace(/^sha256:/, ""),
    urls: [fileName({ name, version })],
  };
}

/** The fields of Chart.yaml that the object keeps. */
export function chartFields({ spec }: HelmApplicationVersion) {
  const { urls: _, digest: __, created: ___, data: ____, dataKey: _____, package: ______, ...chart } = spec;
  return { ...chart, apiVersion: chart.apiVersion ?? "v2" };
}

/** What a package is called. */
export function fileName({ name, version }: Pick<Published, "name" | "version">): string {
  return `${name}-${version}.tgz`;
}

/** When something last entered: a clock would make every index another one. */
function generatedAt(offered: readonly Published[]): string {
  const times = offered.flatMap(
    ({ object }) => object.status?.audit?.[0]?.time ?? object.metadata.creationTimestamp ?? [],
  );
  return times.reduce(
    (latest, time) => (Date.parse(time) > Date.parse(latest) ? time : latest),
    "1970-01-01T00:00:00Z",
  );
}
