import { HelmRepo } from "../../../shared/resources/helm-repo.ts";
import { LABEL } from "../../../shared/resources/labels.ts";
import { defineCommand } from "../command.ts";
import { age, columns } from "../text.ts";
import { summaryOf } from "./summary.ts";

const HEAD = ["name", "workspace", "url", "state", "charts", "versions", "fresh", "next"];

/** opx repo list */
export const repoList = defineCommand({
  name: "repo list",
  summary: "List repositories: what they hold and how fresh it is.",
  arguments: [],
  options: { workspace: { type: "string", value: "NAME", description: "only repositories of this workspace" } },
  examples: ["repo list", "repo list --workspace demo --json"],
  async run({ options: { workspace } }, { kube, now }) {
    const query = workspace === undefined ? {} : { labels: { [LABEL.workspace]: workspace } };
    const repos = (await kube.list(HelmRepo, query)).map(summaryOf);
    const rows = repos.map((repo) => [
      repo.name,
      repo.workspace ?? "",
      repo.url,
      repo.state,
      String(repo.charts),
      String(repo.versions),
      age(repo.freshAsOf, now()),
      age(repo.nextSync, now()),
    ]);
    return {
      json: repos,
      lines: rows.length === 0 ? ["no repositories; see opx repo add --help"] : columns(HEAD, rows),
    };
  },
});
