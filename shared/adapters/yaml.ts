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
  const { maxLength, maxDepth, maxValues } = { ...DEFAULTS, ...limits };
  if (text.length > maxLength) {
    throw new YamlError(`the text has ${text.length} characters, at most ${maxLength} are read`);
  }
  const documents = loadTolerant(text, maxDepth);
  if (text.includes("&")) refuseAliasBomb(documents, maxValues);
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

/** Aliases share one object, so ten short lines can stand for billions of values: count them before anybody walks. */
function refuseAliasBomb(value: unknown, maxValues: number): void {
  const sizes = new Map<object, number>();
  const measure = (item: unknown): number => {
    if (typeof item !== "object" || item === null) return 1;
    const known = sizes.get(item);
    if (known === Number.POSITIVE_INFINITY) throw new YamlError("an alias stands inside the value it names");
    if (known !== undefined) return known;
    sizes.set(item, Number.POSITIVE_INFINITY);
    const size = Object.values(item).reduce((sum: number, child) => sum + measure(child), 1);
    if (size > maxValues) throw new YamlError(`aliases stand for more than ${maxValues} values`);
    sizes.set(item, size);
    return size;
  };
  measure(value);
}
