import type { HelmApplication } from "../resources/helm-application.ts";
import type { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { LABEL, UNCATEGORIZED } from "../resources/labels.ts";
import { latestFirst } from "./versions.ts";

/** An application with the versions that are to be found by. */
export interface CatalogEntry {
  readonly app: HelmApplication;
  readonly versions: readonly HelmApplicationVersion[];
}

/** What is looked for: every word must be found, and every condition hold. */
export interface Question {
  readonly text: string;
  /** Id of a category. */
  readonly category?: string | undefined;
  /** A keyword as charts write it. */
  readonly keyword?: string | undefined;
  /** Name of a maintainer. */
  readonly maintainer?: string | undefined;
}

/** How often something occurs among what was found. */
export interface Facet {
  readonly value: string;
  readonly count: number;
}

/** What was found, best first, and what it could be narrowed to. */
export interface Found {
  readonly entries: readonly CatalogEntry[];
  readonly categories: readonly Facet[];
  readonly keywords: readonly Facet[];
  readonly maintainers: readonly Facet[];
}

/** Words of one question that are looked at. */
const MAX_WORDS = 8;
const MAX_FACETS = 20;

/** What a word is worth by where it is found, and how. */
const WORTH = {
  name: { whole: 100, start: 60, inside: 40 },
  keyword: { whole: 30, start: 20, inside: 15 },
  maintainer: { whole: 12, start: 10, inside: 8 },
  words: { whole: 5, start: 5, inside: 5 },
} as const;

/** What an application is found by. */
interface Words {
  readonly name: string;
  readonly keywords: readonly string[];
  readonly maintainers: readonly string[];
  readonly text: string;
}

interface Indexed extends Words {
  readonly entry: CatalogEntry;
}

/** Objects from memory are the same until they change, so that their words are taken once. */
const known = new WeakMap<HelmApplication, { readonly versions: CatalogEntry["versions"]; readonly words: Words }>();

/**
 * Finds applications by name, keyword, maintainer and description, whatever the case. Ordered by worth, then by name,
 * then by id: the same question over the same applications has the same answer.
 */
export function searchCatalog(entries: readonly CatalogEntry[], question: Question): Found {
  const words = folded(question.text).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  const hits = entries
    .map(indexed)
    .filter((each) => meets(each, question))
    .map((each) => ({ each, worth: worthOf(each, words) }))
    .filter(({ worth }) => worth !== undefined)
    .sort(
      (a, b) => (b.worth ?? 0) - (a.worth ?? 0) || order(a.each.name, b.each.name) || order(idOf(a.each), idOf(b.each)),
    )
    .map(({ each }) => each);
  return {
    entries: hits.map(({ entry }) => entry),
    categories: facets(hits.map((each) => [categoryOf(each)])),
    keywords: facets(hits.map(({ keywords }) => keywords)),
    maintainers: facets(hits.map(({ maintainers }) => maintainers)),
  };
}

function indexed(entry: CatalogEntry): Indexed {
  const { app, versions } = entry;
  const before = known.get(app);
  const same =
    before?.versions.length === versions.length && before.versions.every((each, at) => each === versions[at]);
  const words = same && before ? before.words : wordsOf(entry);
  if (!same) known.set(app, { versions, words });
  return { entry, ...words };
}

function wordsOf({ app: { spec }, versions }: CatalogEntry): Words {
  const newest = latestFirst(versions)[0]?.spec;
  return {
    name: folded(spec.name),
    keywords: (newest?.keywords ?? []).map(folded),
    maintainers: (newest?.maintainers ?? []).map(({ name = "" }) => folded(name)).filter(Boolean),
    text: folded([spec.abstraction, spec.description, newest?.description].filter(Boolean).join("\n")),
  };
}

function meets(each: Indexed, { category, keyword, maintainer }: Question): boolean {
  return (
    (category === undefined || categoryOf(each) === category) &&
    (keyword === undefined || each.keywords.includes(folded(keyword))) &&
    (maintainer === undefined || each.maintainers.includes(folded(maintainer)))
  );
}

/** The sum over all words; `undefined` where one of them is nowhere. */
function worthOf(each: Indexed, words: readonly string[]): number | undefined {
  const worths = words.map((word) => worthOfWord(each, word));
  return worths.includes(0) ? undefined : worths.reduce((sum, worth) => sum + worth, 0);
}

function worthOfWord({ name, keywords, maintainers, text }: Indexed, word: string): number {
  return Math.max(
    found(word, name, WORTH.name),
    ...keywords.map((keyword) => found(word, keyword, WORTH.keyword)),
    ...maintainers.map((person) => found(word, person, WORTH.maintainer)),
    found(word, text, WORTH.words),
  );
}

function found(word: string, text: string, worth: (typeof WORTH)[keyof typeof WORTH]): number {
  if (text === word) return worth.whole;
  const at = text.indexOf(word);
  if (at === -1) return 0;
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "") ? worth.start : worth.inside;
}

function facets(values: readonly (readonly string[])[]): readonly Facet[] {
  const counts = new Map<string, number>();
  for (const value of values.flatMap((each) => [...new Set(each)])) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || order(a.value, b.value))
    .slice(0, MAX_FACETS);
}

function categoryOf({ entry }: Indexed): string {
  return entry.app.metadata.labels?.[LABEL.categoryId] || UNCATEGORIZED;
}

function idOf({ entry }: Indexed): string {
  return entry.app.metadata.name;
}

/** Text as it is compared: in one form and one case, so that É is é however it is written. */
function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
