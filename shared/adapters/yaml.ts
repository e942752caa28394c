import { CORE_SCHEMA, dump, loadAll, mergeTag, YAMLException } from "js-yaml";

/** How much a YAML text may ask of us; what is left out keeps its default. */
export interface YamlLimits {
  /** Characters of text, default 64 Mi. */
  readonly maxLength?: number;
  /** Levels of nesting, default 100. */
  readonly maxDepth?: number;
  /** Values once every alias is written out, default 2,000,000; stops alias bombs. */
  readonly maxValues?: number;
}

/** Why a text is not the YAML we take: `line` counts from 1 and is missing where the whole text is the cause. */
export class YamlError extends Error {
  readonly line: number | undefined;

  constructor(message: string, line?: number, options?: ErrorOptions) {
    super(line === undefined ? message : `line ${line}: ${message}`, options);
    this.name = "YamlError";
    this.line = line;
  }
}

const DEFAULTS: Required<YamlLimits> = { maxLength: 64 * 1024 * 1024, maxDepth: 100, maxValues: 2_000_000 };
const MAX_ALIASES = 10_000;
const REPAIR_BUDGET = 32 * 1024 * 1024;
const MAX_REPAIRS = 32;
const SCHEMA = CORE_SCHEMA.withTags(mergeTag);

/**
 * Reads the first YAML document as plain data: timestamps stay strings, the last of equal keys counts, an empty or
 * comment-only document is `undefined`. Throws `YamlError`.
 */
export function parseYaml(text: string, limits: YamlLimits = {}): unknown {
  return parseYamlDocuments(text, limits)[0];
}

/** Reads every document of a YAML text, a document without content as `undefined`. Throws `YamlError`. */
export function parseYamlDocuments(text: string, limits: YamlLimits = {}): unknown[] {
  const bounds = { ...DEFAULTS, ...limits };
  const { maxLength, maxDepth } = bounds;
  if (text.length > maxLength) {
    throw new YamlError(`the text has ${text.length} characters, at most ${maxLength} are read`);
  }
  const documents = loadTolerant(text, maxDepth);
  // The list of documents is one level more than the text has.
  if (text.includes("&")) refuseAliasBomb(documents, { ...bounds, maxDepth: maxDepth + 1 });
  return documents.map((document) => document ?? undefined);
}

/** Writes data as YAML that YAML 1.1 readers (Helm, kubectl) read back as the same values; `undefined` is left out. */
export function stringifyYaml(value: unknown): string {
  return dump(value, { lineWidth: -1, noRefs: true, skipInvalid: true });
}

/** Helm reads quoted and flow text whose next line starts further left; js-yaml does so once that line is indented. */
function loadTolerant(text: string, maxDepth: number): unknown[] {
  const repairs = Math.min(MAX_REPAIRS, Math.floor(REPAIR_BUDGET / Math.max(1, text.length)));
  let source = text;
  for (let repaired = 0; ; repaired++) {
    try {
      return loadAll(source, { schema: SCHEMA, json: true, maxDepth, maxAliases: MAX_ALIASES });
    } catch (error) {
      const next = repaired < repairs ? indentDeficientLine(source, error) : undefined;
      if (next === undefined) throw yamlError(error);
      source = next;
    }
  }
}

function indentDeficientLine(source: string, error: unknown): string | undefined {
  if (!(error instanceof YAMLException) || error.reason !== "deficient indentation" || !error.mark) return undefined;
  const lineStart = source.lastIndexOf("\n", error.mark.position - 1) + 1;
  const padding = " ".repeat(128);
  if (source.startsWith(padding, lineStart)) return undefined;
  return source.slice(0, lineStart) + padding + source.slice(lineStart);
}

function yamlError(error: unknown): YamlError {
  if (!(error instanceof YAMLException)) {
    return new YamlError(error instanceof Error ? error.message : String(error), undefined, { cause: error });
  }
  return new YamlError(error.reason, error.mark ? error.mark.line + 1 : undefined, { cause: error });
}

/** What a value comes to once every alias is written out. */
interface Extent {
  readonly values: number;
  readonly height: number;
}

const SINGLE: Extent = { values: 1, height: 0 };

/** Aliases share one object, so ten short lines can stand for billions of values: count them before anybody walks. */
function refuseAliasBomb(value: unknown, limits: Required<YamlLimits>): void {
  const extents = new Map<object, Extent | "open">();
  const measure = (item: unknown, depth: number): Extent => {
    if (typeof item !== "object" || item === null) return SINGLE;
    const known = extents.get(item);
    if (known === "open") throw new YamlError("an alias stands inside the value it names");
    if (known) return known;
    checkExtent({ values: 1, height: depth }, limits);
    extents.set(item, "open");
    const extent = Object.values(item).reduce<Extent>((sum, child) => add(sum, measure(child, depth + 1)), SINGLE);
    extents.set(item, checkExtent(extent, limits));
    return extent;
  };
  measure(value, 0);
}

function checkExtent(extent: Extent, { maxValues, maxDepth }: Required<YamlLimits>): Extent {
  if (extent.values > maxValues) throw new YamlError(`aliases stand for more than ${maxValues} values`);
  if (extent.height > maxDepth) throw new YamlError(`aliases nest values more than ${maxDepth} levels deep`);
  return extent;
}

function add(sum: Extent, child: Extent): Extent {
  return { values: sum.values + child.values, height: Math.max(sum.height, child.height + 1) };
}
