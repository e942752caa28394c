import { compareParsed, inRange, type ParsedVersion, parseVersion } from "../adapters/semver.ts";
import { readConstraint } from "./constraint.ts";

const COMPLETE = /^v?\d+\.\d+\.\d+(?:[-+]|$)/;

/**
 * Orders two chart versions as Helm does, ascending: negative, zero or positive. What Helm cannot read counts as older
 * than everything and equal among itself; build metadata does not count.
 */
export function compareVersions(a: string, b: string): number {
  return compareRead(parseVersion(a), parseVersion(b));
}

/** Whether Helm can read the version: packages and index entries with any other version are refused. */
export function isHelmVersion(version: string): boolean {
  return parseVersion(version) !== undefined;
}

/** Whether the version has all three parts, so that nothing is filled in; a leading `v` and leading zeros may stand. */
export function isStrictSemver(version: string): boolean {
  return COMPLETE.test(version) && isHelmVersion(version);
}

/** Items newest first, equal versions in the order given, unreadable versions last; `versionOf` is called once each. */
export function newestFirst<T>(items: readonly T[], versionOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, version: parseVersion(versionOf(item)) }))
    .sort((a, b) => compareRead(b.version, a.version))
    .map(({ item }) => item);
}

/**
 * The version name that KubeSphere shows as an application's latest: the highest chart version, where a name is
 * `<version>` or `<version> [<appVersion>]`; unreadable ones are skipped, "" where none is left.
 */
export function latestVersion(names: readonly string[]): string {
  const readable = names.filter((name) => isHelmVersion(chartVersionOf(name)));
  return newestFirst(readable, chartVersionOf)[0] ?? "";
}

/** Whether Helm's constraint admits the version: prereleases only where the constraint names one itself. */
export function satisfies(version: string, constraint: string): boolean {
  const parsed = parseVersion(version);
  const alternatives = readConstraint(constraint);
  if (!parsed || !alternatives) return false;
  return alternatives.some(
    ({ range, prereleases }) => (prereleases || parsed.prerelease.length === 0) && inRange(parsed, range),
  );
}

/** Whether Helm can read the text as a version constraint. */
export function isConstraint(text: string): boolean {
  return readConstraint(text) !== undefined;
}

/** The version Helm installs from a list: the one written exactly so, else the newest that the constraint admits. */
export function resolveVersion(versions: readonly string[], constraint: string): string | undefined {
  if (constraint !== "" && versions.includes(constraint)) return constraint;
  return newestFirst(versions, (version) => version).find((version) => satisfies(version, constraint));
}

function chartVersionOf(name: string): string {
  return name.split(" ", 1)[0] ?? "";
}

function compareRead(a: ParsedVersion | undefined, b: ParsedVersion | undefined): number {
  if (!a || !b) return Number(a !== undefined) - Number(b !== undefined);
  return compareParsed(a, b);
}
