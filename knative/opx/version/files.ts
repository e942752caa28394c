import * as z from "zod";
import { Failure } from "../../../shared/errors.ts";
import { type Answer, defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { versionPath } from "../store/paths.ts";
import { bytes, columns } from "../text.ts";
import { NO_VERSION_HINT, VERSION_ARGUMENT } from "./argument.ts";

const Files = z.looseObject({ files: z.record(z.string(), z.base64()) });

/** opx version files */
export const versionFiles = defineCommand({
  name: "version files",
  summary: "List the files in the package of a version, or print one of them.",
  arguments: [VERSION_ARGUMENT],
  options: {
    path: { type: "string", value: "PATH", description: "file that is printed, as the list names it" },
    ...STORE_OPTIONS,
  },
  examples: ["version files appv-x1y2z3", "version files appv-x1y2z3 --path values.yaml"],
  async run({ arguments: [id = ""], options }, context) {
    const store = await context.store(options);
    const path = `${versionPath(id)}/files`;
    const hint = options.path === undefined ? NO_VERSION_HINT : `opx version files ${id} shows which there are`;
    const { files } = await store.call({ method: "GET", path, query: { files: options.path }, hint }, Files);
    const contents = new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text, "base64")]));
    return options.path === undefined ? listing(contents) : oneFile(contents, options.path);
  },
});

function listing(contents: ReadonlyMap<string, Buffer>): Answer {
  const sorted = [...contents].sort(([a], [b]) => (a < b ? -1 : 1));
  const json = sorted.map(([path, { length }]) => ({ path, bytes: length }));
  return {
    json,
    lines: columns(
      ["size", "path"],
      sorted.map(([path, { length }]) => [bytes(length), path]),
    ),
  };
}

function oneFile(contents: ReadonlyMap<string, Buffer>, path: string): Answer {
  const content = contents.get(path);
  if (!content) throw new Failure("Invalid", `the package has no file ${path}`);
  const text = content.toString("utf8");
  return { json: { path, content: text }, lines: [text.replace(/\n$/, "")] };
}
