import { Failure } from "../errors.ts";
import type { CommandResult } from "./helm-command.ts";
import { parseYaml } from "./yaml.ts";

/** One revision of a release as `helm history` lists it. */
export interface Revision {
  readonly revision: number;
  readonly status: string;
  /** RFC 3339. */
  readonly updated: string;
  readonly description: string;
}

const MAX_MESSAGE = 1024;
const MAX_REDACTIONS = 10_000;

/** Values shorter than this are words and numbers that errors need, unless their key says that they are secret. */
const SECRET_LENGTH = 8;
const SECRET_KEY = /pass|secret|token|key|credential|auth/i;

/** Reads `helm history -o json`, oldest first. Fails with `Unavailable` where it cannot be read. */
export function parseHistory(text: string): readonly Revision[] {
  try {
    const revisions = JSON.parse(text) as readonly Revision[];
    return revisions.toSorted((a, b) => a.revision - b.revision);
  } catch (error) {
    throw new Failure("Unavailable", `helm history answered without readable JSON`, { cause: error });
  }
}

/** The revision that an install or upgrade reports; `undefined` where it says nothing of the kind. */
export function revisionIn(stdout: string): number | undefined {
  const found = /^REVISION: (\d+)$/m.exec(stdout)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Helm's complaint as one sentence: without its prefixes, log lines and the paths of our own files. */
export function complaintOf(result: CommandResult, folder: string): string {
  const lines = result.stderr.split("\n").filter((line) => !/^(level=|time=|WARNING: )/.test(line));
  const start = lines.findLastIndex((line) => line.startsWith("Error: "));
  const text = lines.slice(Math.max(start, 0)).join(" ");
  const prefixes = /^(Error: |UPGRADE FAILED: |INSTALLATION FAILED: |uninstall: |release \S+ failed[^:]*: )+/i;
  const sentence = text.replaceAll(`${folder}/`, "").replace(prefixes, "").replace(/\s+/g, " ").trim();
  return sentence === "" ? `helm ended with code ${result.code ?? "none"} and said nothing` : sentence;
}

/** Cuts a message to the size of a status field, after hiding everything that stands in `values`. */
export function withoutValues(message: string, values: string): string {
  let hidden = message.slice(0, 8 * MAX_MESSAGE);
  for (const secret of secretsIn(values)) hidden = hidden.replaceAll(secret, "[value]");
  return hidden.length > MAX_MESSAGE ? `${hidden.slice(0, MAX_MESSAGE - 1)}…` : hidden;
}

/** Whether another operation holds the release, or won the race for its next revision. */
export function isBusy(complaint: string): boolean {
  return /another operation .* in progress|cannot re-?use a name that is still in use|release: already exists/i.test(
    complaint,
  );
}

/** Whether Helm knows no such release. */
export function isMissing(complaint: string): boolean {
  return /release: not found|release not loaded/i.test(complaint);
}

/** The failure of a command that says nothing about the release itself: no cluster, no rights, no time. */
export function failureIn(what: string, result: CommandResult, complaint: string): Failure {
  const short = complaint.slice(0, MAX_MESSAGE);
  if (result.timedOut) return new Failure("Unavailable", `${what}: helm took too long and was stopped: ${short}`);
  if (/ is forbidden: |Unauthorized/.test(complaint)) {
    return new Failure("Forbidden", `${what}: ${short}; grant it to the account that Helm uses`);
  }
  return new Failure("Unavailable", `${what}: ${short}`);
}

/** Whether Helm lost the API server, or never reached it; a webhook that cannot be reached is the release's own trouble. */
export function isUnreachable(complaint: string): boolean {
  if (/webhook/i.test(complaint)) return false;
  const broken = /(get|post|put|patch|delete) "https?:[^"]*": (dial|read|write|EOF|unexpected EOF|net\/http|http2)/i;
  return /kubernetes cluster unreachable/i.test(complaint) || broken.test(complaint);
}

/** Longest first, so that a value that contains another is hidden whole. */
function secretsIn(values: string): readonly string[] {
  const found = new Set<string>();
  let parsed: unknown;
  try {
    parsed = parseYaml(values);
  } catch {
    // What we cannot read, Helm may: then everything after a colon or a dash counts.
    parsed = values.split("\n").map((line) => line.replace(/^[^:]*:\s|^\s*-\s/, "").trim());
  }
  collectSecrets(parsed, "", found);
  return [...found].slice(0, MAX_REDACTIONS).toSorted((a, b) => b.length - a.length);
}

function collectSecrets(value: unknown, key: string, found: Set<string>): void {
  if (typeof value === "object" && value !== null) {
    for (const [name, child] of Object.entries(value)) {
      collectSecrets(child, SECRET_KEY.test(key) ? key : name, found);
    }
    return;
  }
  noteSecret(String(value ?? "").trim(), SECRET_KEY.test(key) ? 3 : SECRET_LENGTH, found);
}

function noteSecret(text: string, least: number, found: Set<string>): void {
  if (text.length < least) return;
  found.add(text);
  // Errors quote, and they show a text of several lines with its line ends folded.
  found.add(JSON.stringify(text).slice(1, -1));
  found.add(text.replace(/\s+/g, " "));
}
