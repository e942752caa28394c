import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { functions, httpFunctions } from "../../functions/index.ts";
import { differences, writeFiles } from "./disk.ts";
import { generatedFiles } from "./files.ts";

/** Command line: writes the generated files, or with --check lists those that differ and exits 1. */
const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const root = resolve(import.meta.dirname, "..");
const files = generatedFiles(functions, httpFunctions);
const found = await differences(root, files);

if (!values.check) {
  await writeFiles(root, files, found);
  process.stdout.write(`${files.size} files generated, ${found.length} changed\n`);
} else if (found.length > 0) {
  const list = found.map(({ path, why }) => `  ${join("knative", path)}: ${why}`).join("\n");
  process.stderr.write(`generated files differ from the declarations:\n${list}\nrun \`npm run generate\` and commit\n`);
  process.exitCode = 1;
}
