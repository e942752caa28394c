import { type ParsedVersion, parseVersion } from "../adapters/semver.ts";

/** One alternative of a constraint: an npm range, and whether it asks for prereleases by naming one. */
export interface Alternative {
  readonly range: string;
  readonly prereleases: boolean;
}

interface Term {
  readonly operator: string;
  readonly version: ParsedVersion;
  /** How many of major, minor and patch the text gives. */
  readonly given: number;
}

const MAX_LENGTH = 512;
const OPERATOR = /^(?:!=|=>|>=|=<|<=|~>|[=<>~^])?/;
const TERM = /(?:!=|=>|>=|=<|<=|~>|[=<>~^])?\s*[0-9vxX*][^\s,]*/y;
const HYPHEN = /(\S+)\s+-\s+(\S+)/g;

/**
 * Reads a version constraint in Helm's notation (comma or blank = and, `||` = or, `!=`, `=>`, `~>`, `^`, wildcards,
 * `a - b`) into npm ranges of full versions; `undefined` where Helm calls it improper.
 */
export function readConstraint(text: string): readonly Alternative[] | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const alternatives = text.split("||").map(readAlternative);
  return alternatives.every((alternative) => alternative !== undefined) ? alternatives : undefined;
}

function readAlternative(text: string): Alternative | undefined {
  const terms = splitTerms(text.replace(HYPHEN, ">=$1 <=$2").trim())?.map(readTerm);
  if (!terms?.every((term) => term !== undefined)) return undefined;
  return {
    range: terms.map(rangeOf).reduce(cross, [""]).join(" || "),
    prereleases: terms.some((term) => term.version.prerelease.length > 0),
  };
}

function splitTerms(text: string): string[] | undefined {
  if (text === "") return ["*"];
  const terms: string[] = [];
  for (let at = 0; at < text.length; ) {
    TERM.lastIndex = at;
    const match = TERM.exec(text);
    if (!match) return undefined;
    terms.push(match[0]);
    at = TERM.lastIndex + (/^[\s,]*/.exec(text.slice(TERM.lastIndex))?.[0].length ?? 0);
  }
  return terms;
}

function readTerm(text: string): Term | undefined {
  const operator = OPERATOR.exec(text)?.[0] ?? "";
  const rest = text.slice(operator.length).trim();
  const parts = rest.replace(/^v/, "").split(/[-+]/, 1)[0]?.split(".") ?? [];
  const wildcard = parts.findIndex((part) => /^[xX*]$/.test(part));
  const given = wildcard === -1 ? parts.length : wildcard;
  const version = parseVersion(wildcard === -1 ? rest : ["0", ...parts.slice(0, wildcard)].slice(-wildcard).join("."));
  return version && given <= 3 ? { operator, version, given } : undefined;
}

/** The npm comparators of one term; more than one element means "or". */
function rangeOf({ operator, version, given }: Term): string[] {
  // Helm reads ~0.0.0 and a bare wildcard as "anything".
  if (given === 0 && operator !== "!=") return [">=0.0.0-0"];
  return (RANGES[ALIASES[operator] ?? operator] ?? exactly)(version, given);
}

const ALIASES: Readonly<Record<string, string>> = { "=>": ">=", "=<": "<=", "~>": "~" };

const RANGES: Readonly<Record<string, (version: ParsedVersion, given: number) => string[]>> = {
  ">": (v, given) => [given === 3 ? `>${v.version}` : `>=${nextAfter(v, given)}-0`],
  "<": (v) => [`<${v.version}`],
  ">=": (v) => [`>=${v.version}`],
  "<=": (v, given) => [given === 3 ? `<=${v.version}` : `<${nextAfter(v, given)}-0`],
  "!=": (v, given) => [`<${v.version}`, given === 3 ? `>${v.version}` : `>=${nextAfter(v, given)}-0`],
  "^": (v, given) => [`>=${v.version} <${caretEnd(v, given)}-0`],
  "~": (v, given) =>
    v.version === "0.0.0" ? [">=0.0.0-0"] : [`>=${v.version} <${nextAfter(v, Math.min(given, 2))}-0`],
};

function exactly(version: ParsedVersion, given: number): string[] {
  const v = version.version;
  return given === 3 ? [`=${v}`] : [`>=${v} <${nextAfter(version, given)}-0`];
}

/** The first version after all those that start with the first `given` parts. */
function nextAfter(version: ParsedVersion, given: number): string {
  if (given <= 1) return `${version.major + 1}.0.0`;
  if (given === 2) return `${version.major}.${version.minor + 1}.0`;
  return `${version.major}.${version.minor}.${version.patch + 1}`;
}

function caretEnd(version: ParsedVersion, given: number): string {
  if (version.major > 0 || given === 1) return nextAfter(version, 1);
  return version.minor > 0 || given === 2 ? nextAfter(version, 2) : nextAfter(version, 3);
}

function cross(alternatives: string[], term: string[]): string[] {
  return alternatives.flatMap((left) => term.map((right) => `${left} ${right}`.trim()));
}
