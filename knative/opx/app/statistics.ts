import * as z from "zod";
import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { OWN_BASE } from "../store/paths.ts";
import { fields } from "../text.ts";

const Counts = z.record(z.string(), z.number());

const Statistics = z.looseObject({
  app_count: z.number(),
  version_count: z.number(),
  repo_count: z.number(),
  apps_by_state: Counts,
  versions_by_state: Counts,
  last_two_week_created: Counts,
  top_ten_repos: Counts,
  top_ten_apps: Counts,
});

/** opx statistics */
export const statistics = defineCommand({
  name: "statistics",
  summary: "Count applications, versions and repositories.",
  arguments: [],
  options: STORE_OPTIONS,
  examples: ["statistics", "statistics --json"],
  async run({ options }, context) {
    const store = await context.store(options);
    const at = { base: OWN_BASE, path: "/statistics", hint: "see opx statistics --help" };
    const json = await store.call({ method: "GET", ...at }, Statistics);
    const lines = fields([
      ["applications", `${json.app_count}${inBrackets(json.apps_by_state)}`],
      ["versions", `${json.version_count}${inBrackets(json.versions_by_state)}`],
      ["repositories", json.repo_count],
      ["made lately", listed(json.last_two_week_created)],
      ["most applications", listed(json.top_ten_repos)],
      ["most versions", listed(json.top_ten_apps)],
    ]);
    return { json, lines };
  },
});

function listed(counts: Readonly<Record<string, number>>): string {
  const known = Object.entries(counts).filter(([, count]) => count > 0);
  return known.map(([name, count]) => `${name} ${count}`).join(", ");
}

function inBrackets(counts: Readonly<Record<string, number>>): string {
  const text = listed(counts);
  return text === "" ? "" : ` (${text})`;
}
