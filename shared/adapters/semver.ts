import { compare, Range, SemVer } from "semver";

/** A version as `parseVersion` read it; compare with `compareParsed`. */
export type ParsedVersion = SemVer;

const VERSION =
  /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

/** Versions read last: those of an index are checked, then sorted, and many charts have the same ones. */
const recent = new Map<string, ParsedVersion | undefined>();
const MAX_RECENT = 4096;
const MAX_LENGTH = 256;

/**
 * Reads a version as Helm does: a leading `v`, missing parts and leading zeros are accepted. `undefined` for anything
 * else, for more than 256 characters, and (unlike Helm) for numbers above 2^53 - 1.
 */
export function parseVersion(text: string): ParsedVersion | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (recent.has(text)) return recent.get(text);
  if (recent.size >= MAX_RECENT) recent.clear();
  const version = parse(text);
  recent.set(text, version);
  return version;
}

function parse(text: string): ParsedVersion | undefined {
  const match = VERSION.exec(text);
  if (!match) return undefined;
  const [, major, minor = "0", patch = "0", prerelease, build] = match;
  const core = [major, minor, patch].map((part) => String(part).replace(/^0+(?=\d)/, "")).join(".");
  try {
    return new SemVer(core + (prerelease ? `-${prerelease}` : "") + (build ? `+${build}` : ""));
  } catch {
    // The library's only way to say that it cannot read a text.
    return undefined;
  }
}

/** Orders two read versions by SemVer precedence: negative, zero or positive; build metadata does not count. */
export function compareParsed(a: ParsedVersion, b: ParsedVersion): number {
  return compare(a, b);
}

/** Whether a read version lies in a range in npm's notation, prereleases judged by their place in the order alone. */
export function inRange(version: ParsedVersion, range: string): boolean {
  return new Range(range, { includePrerelease: true }).test(version);
}
