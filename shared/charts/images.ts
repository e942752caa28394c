import { parseYaml, YamlError } from "../adapters/yaml.ts";
import type { ChartMetadata } from "./chart-metadata.ts";
import { isMapping, own, scalarText } from "./records.ts";

/** Annotation in which charts list their images (Artifact Hub). */
const ANNOTATION = "artifacthub.io/images";

/** Images that are listed of one package, and how deep values are looked through. */
const MAX_IMAGES = 100;
const MAX_DEPTH = 20;
const MAX_VISITS = 50_000;

const REFERENCE =
  /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/;

type Mapping = Readonly<Record<string, unknown>>;

/**
 * Images that a chart is likely to run, sorted: as its annotation lists them, else by the usual keys of its default
 * values (`image: name:tag`, or a mapping with repository and perhaps registry, tag and digest). Templates are not
 * rendered, so images that only templates name are missing, and some listed ones may be switched off.
 */
export function chartImages(chart: ChartMetadata, values: Mapping | undefined): readonly string[] {
  const listed = annotated(own(chart.annotations ?? {}, ANNOTATION));
  const found = listed.length > 0 ? listed : inValues(values ?? {}, chart.appVersion ?? "");
  return [...new Set(found)].toSorted().slice(0, MAX_IMAGES);
}

function annotated(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  try {
    const list = parseYaml(text, { maxLength: 64 * 1024, maxDepth: 10, maxValues: 5_000 });
    const images = Array.isArray(list) ? list.filter(isMapping).map((each) => scalarText(each["image"])) : [];
    return images.filter(isReference);
  } catch (error) {
    // The annotation is free text to Helm, so a broken one takes nothing but itself away.
    if (error instanceof YamlError) return [];
    throw error;
  }
}

function inValues(values: Mapping, appVersion: string): readonly string[] {
  const found: string[] = [];
  const queue: { readonly at: Mapping; readonly depth: number }[] = [{ at: values, depth: 0 }];
  for (let visits = 0; visits < Math.min(queue.length, MAX_VISITS); visits++) {
    const { at, depth } = queue[visits] ?? { at: {}, depth: 0 };
    found.push(...imagesOf(at, appVersion));
    if (depth < MAX_DEPTH) queue.push(...childrenOf(at).map((child) => ({ at: child, depth: depth + 1 })));
  }
  return found.filter(isReference);
}

function isReference(text: string): boolean {
  return text.length <= 512 && REFERENCE.test(text);
}

function childrenOf(at: Mapping): readonly Mapping[] {
  return Object.values(at).flatMap((value) =>
    Array.isArray(value) ? value.filter(isMapping) : isMapping(value) ? [value] : [],
  );
}

function imagesOf(at: Mapping, appVersion: string): readonly string[] {
  return Object.entries(at).flatMap(([key, value]) => {
    if (!/image$/i.test(key)) return [];
    if (isMapping(value)) return reference(value, appVersion);
    return typeof value === "string" && value !== "" ? [tagged(value, scalarText(at[`${key}Tag`] ?? at["tag"]))] : [];
  });
}

function tagged(name: string, tag: string): string {
  return name.includes("@") ? name : joined(name, tag);
}

/** A chart that gives no tag takes its appVersion: `helm create` has made it so. */
function reference(image: Mapping, appVersion: string): readonly string[] {
  const repository = scalarText(image["repository"]) || scalarText(image["name"]);
  if (repository === "") return [];
  const registry = scalarText(image["registry"]);
  const digest = scalarText(image["digest"]) || scalarText(image["sha"]);
  const name = registry === "" ? repository : `${registry}/${repository}`;
  const sum = digest === "" ? "" : `@${digest.startsWith("sha256:") ? digest : `sha256:${digest}`}`;
  return [`${joined(name, scalarText(image["tag"]) || appVersion)}${sum}`];
}

function joined(name: string, tag: string): string {
  return tag === "" || /:[^/]*$/.test(name) ? name : `${name}:${tag}`;
}
