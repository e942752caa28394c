import * as z from "zod";
import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { workspacePath } from "../store/paths.ts";
import { columns, fields } from "../text.ts";
import { PACKAGE_ARGUMENT, PACKAGE_HINT, packageForm } from "./read-package.ts";

const text = z.string().optional();

const Validated = z.looseObject({
  name: text,
  version_name: text,
  description: text,
  url: text,
  error: text,
  error_details: z.record(z.string(), z.string()).optional(),
  findings: z.array(z.looseObject({ severity: z.string(), path: z.string(), message: z.string() })).optional(),
});

/** opx package validate */
export const packageValidate = defineCommand({
  name: "package validate",
  summary: "Have the store check a package without keeping it.",
  arguments: [PACKAGE_ARGUMENT],
  options: {
    workspace: {
      type: "string",
      value: "NAME",
      description: "workspace whose rights count (default: all of the store)",
    },
    ...STORE_OPTIONS,
  },
  examples: ["package validate guestbook-2.1.0.tgz --workspace demo"],
  async run({ arguments: [file = ""], options }, context) {
    const content = await packageForm(file, context.progress);
    const store = await context.store(options);
    const { workspace } = options;
    const path = `${workspace === undefined ? "" : workspacePath(workspace)}/apps`;
    const request = { method: "POST", path, query: { validate: "true" }, ...content, hint: PACKAGE_HINT } as const;
    const json = await store.call(request, Validated);
    if (json.error) return { json, lines: [`${file}: ${json.error}`, ...detailLines(json)], failed: true };
    return { json, lines: [...fields(linesOf(json)), ...findingLines(json)] };
  },
});

type Validated = z.output<typeof Validated>;

function linesOf({ name, version_name, description, url }: Validated) {
  return [
    ["chart", name],
    ["version", version_name],
    ["description", description],
    ["home", url],
  ] as const;
}

function findingLines({ findings = [] }: Validated): readonly string[] {
  const rows = findings.map(({ severity, path, message }) => [severity, path, message]);
  return rows.length === 0 ? [] : ["", ...columns(["severity", "file", "finding"], rows)];
}

function detailLines({ error, error_details = {} }: Validated): readonly string[] {
  return Object.entries(error_details)
    .filter(([, message]) => message !== error)
    .map(([file, message]) => `  ${file}: ${message}`);
}
