import { COMMON_OPTIONS, type Command } from "../opx/command.ts";
import { optionRows, usageOf } from "../opx/help.ts";
import { cell, fence, table } from "./markdown.ts";

/** The commands of opx as a Markdown page: how each is written, its options and examples. */
export function opxPage(commands: readonly Command[]): string {
  return [
    "# opx",
    "The store on the command line: `npx opx` in this folder, or `node knative/opx/main.ts`. Repositories it handles over " +
      "the Kubernetes API with your kubeconfig; applications, versions, reviews, categories and packages over the store's " +
      "REST API (`OPX_SERVER`), with a token of your own. So it may do what you may do. Exit codes: 0 done, 1 failed or " +
      "refused, 2 not understood.",
    table(
      ["command", "what it does"],
      commands.map(({ name, summary }) => [`[opx ${name}](#opx-${name.replaceAll(" ", "-")})`, cell(summary)]),
    ),
    "Every command takes these:",
    options(COMMON_OPTIONS),
    ...commands.map(section),
  ].join("\n\n");
}

function section(command: Command): string {
  const { name, summary, arguments: words, examples } = command;
  const rows = words.map((word) => [`\`${word.name}\``, cell(word.description)]);
  return [
    `## opx ${name}`,
    summary,
    fence("sh", [`# ${usageOf(command)}`, ...examples.map((example) => `opx ${example}`)].join("\n")),
    ...(rows.length > 0 ? [table(["argument", "meaning"], rows)] : []),
    ...(Object.keys(command.options).length > 0 ? [options(command.options)] : []),
  ].join("\n\n");
}

function options(declared: Command["options"]): string {
  const rows = optionRows(declared).map(([name, description]) => [`\`${name}\``, cell(description)]);
  return table(["option", "meaning"], rows);
}
