import { readFile } from "node:fs/promises";
import { readArchive } from "../../shared/adapters/tar.ts";
import { checkPackage } from "../../shared/charts/package.ts";
import { mapLimited } from "../../shared/concurrency.ts";

/** As many as a function handles at once. */
const AT_ONCE = 4;

// Checks each package given by its path, and tells what it holds.
const found = await mapLimited(process.argv.slice(2), AT_ONCE, async (path) => {
  const check = checkPackage(await readArchive(await readFile(path)));
  return check.ok ? `${check.chart.name} ${check.chart.version}` : check.reason;
});
process.stdout.write(found.join("\n"));
