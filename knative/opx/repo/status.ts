import type { HelmRepo } from "../../../shared/resources/helm-repo.ts";
import { defineCommand } from "../command.ts";
import { age, bytes, columns, fields } from "../text.ts";
import { findRepo } from "./find.ts";
import { type Signatures, signaturesOf } from "./signatures.ts";
import { progressOf, summaryOf } from "./summary.ts";

/** opx repo status */
export const repoStatus = defineCommand({
  name: "repo status",
  summary: "Show one repository: freshness, problems, what was counted, and the last syncs.",
  arguments: [{ name: "NAME", description: "name of the repository" }],
  options: {},
  examples: ["repo status stable", "repo status stable --json"],
  async run({ arguments: [name = ""] }, { kube, now }) {
    const repo = await findRepo(kube, name);
    const { conditions = [], problems = [], statistics = {}, syncState = [], sync } = repo.status ?? {};
    const signatures = await signaturesOf(repo, kube);
    const json = { ...summaryOf(repo), sync, signatures, conditions, problems, statistics, syncs: syncState };
    return { json, lines: [...linesOf(repo, now()), ...(signatures ? signatureLines(signatures) : [])] };
  },
});

function linesOf(repo: HelmRepo, now: Date): readonly string[] {
  const { conditions = [], problems = [], syncState = [], sync } = repo.status ?? {};
  return [
    ...fields(facts(repo, now)),
    ...(sync ? [`under way  ${progressOf(repo)}`] : []),
    ...section(
      "conditions",
      columns(
        ["type", "status", "reason", "message"],
        conditions.map(({ type, status, reason, message }) => [type, status, reason, message]),
      ),
    ),
    ...section(
      "entries that cannot be used",
      columns(
        ["chart", "version", "reason", "message"],
        problems.map(({ chart, version = "", reason, message }) => [chart, version, reason, message]),
      ),
    ),
    ...section(
      "last syncs",
      columns(
        ["when", "state", "message"],
        syncState.map(({ syncTime, state = "", message = "" }) => [`${age(syncTime, now)} ago`, state, message]),
      ),
    ),
  ];
}

function signatureLines({ policy, versions, verified, unverified }: Signatures): readonly string[] {
  const rows = unverified.map(({ version, reason, message }) => [version, reason, message]);
  return [
    "",
    `signatures are checked (${policy}): ${verified} of ${versions} versions are vouched for`,
    ...section("versions that are not vouched for", columns(["version", "reason", "message"], rows)),
  ];
}

function facts(repo: HelmRepo, now: Date) {
  const { name, workspace, url, state, charts, versions, dropped, freshAsOf, nextSync } = summaryOf(repo);
  const { statistics } = repo.status ?? {};
  const { syncs = 0, failures = 0, notModified = 0, bytes: read = 0, bytesSaved = 0, durationMs } = statistics ?? {};
  return [
    ["name", name],
    ["workspace", workspace],
    ["url", url],
    ["state", state],
    ["holds", `${charts} charts with ${versions} versions${dropped > 0 ? `, ${dropped} entries left out` : ""}`],
    ["fresh as of", freshAsOf && `${freshAsOf} (${age(freshAsOf, now)} ago)`],
    ["next sync", nextSync && `${nextSync} (in ${age(nextSync, now)})`],
    ["syncs", statistics && `${syncs} well, ${failures} failed, ${notModified} not modified`],
    ["index bytes", statistics && `${bytes(read)} read, ${bytes(bytesSaved)} saved`],
    ["last sync took", durationMs === undefined ? undefined : `${durationMs} ms`],
  ] as const;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length > 1 ? ["", `${title}:`, ...lines.map((line) => `  ${line}`)] : [];
}
