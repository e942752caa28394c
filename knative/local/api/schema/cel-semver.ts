import type { Environment } from "@marcbachmann/cel-js";
import { compareParsed, type ParsedVersion, parseVersion } from "../../../../shared/adapters/semver.ts";

/** A version as CEL rules hold it. */
class CelSemver {
  readonly version: ParsedVersion;
  constructor(version: ParsedVersion) {
    this.version = version;
  }
}

const number = "(?:0|[1-9]\\d*)";
const strict = new RegExp(`^${number}\\.${number}\\.${number}(?:[-+]|$)`);

// Normalizing takes a leading v, missing parts and leading zeros, which is what Helm takes.
function parse(text: string, normalize = false): CelSemver | undefined {
  const version = normalize || strict.test(text) ? parseVersion(text) : undefined;
  return version === undefined ? undefined : new CelSemver(version);
}

function semver(text: string, normalize = false): CelSemver {
  const parsed = parse(text, normalize);
  if (parsed === undefined) throw new Error(`invalid semantic version ${JSON.stringify(text)}`);
  return parsed;
}

function order(left: CelSemver, right: CelSemver): number {
  return compareParsed(left.version, right.version);
}

/** semver() and isSemver(), and what rules ask of versions. */
export function addVersions(environment: Environment): void {
  environment
    .registerType("kubernetes.Semver", CelSemver)
    .registerOperator(
      "kubernetes.Semver == kubernetes.Semver",
      (left: CelSemver, right: CelSemver) => order(left, right) === 0,
    )
    .registerFunction("semver(string): kubernetes.Semver", (text: string) => semver(text))
    .registerFunction("semver(string, bool): kubernetes.Semver", semver)
    .registerFunction("isSemver(string): bool", (text: string) => parse(text) !== undefined)
    .registerFunction(
      "isSemver(string, bool): bool",
      (text: string, normalize: boolean) => parse(text, normalize) !== undefined,
    )
    .registerFunction("kubernetes.Semver.major(): int", ({ version }: CelSemver) => BigInt(version.major))
    .registerFunction("kubernetes.Semver.minor(): int", ({ version }: CelSemver) => BigInt(version.minor))
    .registerFunction("kubernetes.Semver.patch(): int", ({ version }: CelSemver) => BigInt(version.patch))
    .registerFunction(
      "kubernetes.Semver.isGreaterThan(kubernetes.Semver): bool",
      (left: CelSemver, right: CelSemver) => order(left, right) > 0,
    )
    .registerFunction(
      "kubernetes.Semver.isLessThan(kubernetes.Semver): bool",
      (left: CelSemver, right: CelSemver) => order(left, right) < 0,
    )
    .registerFunction("kubernetes.Semver.compareTo(kubernetes.Semver): int", (left: CelSemver, right: CelSemver) =>
      BigInt(Math.sign(order(left, right))),
    );
}
