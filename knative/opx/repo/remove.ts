import { HelmRepo } from "../../../shared/resources/helm-repo.ts";
import { defineCommand } from "../command.ts";
import { findRepo } from "./find.ts";

/** opx repo remove */
export const repoRemove = defineCommand({
  name: "repo remove",
  summary: "Remove a repository with its applications; what was installed from it stays.",
  arguments: [{ name: "NAME", description: "name of the repository" }],
  options: {},
  examples: ["repo remove stable"],
  async run({ arguments: [name = ""] }, { kube }) {
    await kube.remove(HelmRepo, await findRepo(kube, name));
    return { json: { name, removed: true }, lines: [`${name}: removed; its applications follow`] };
  },
});
