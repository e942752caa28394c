import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const ROOT = fileURLToPath(new URL("../../../shared/data/", import.meta.url));

/** Whether the real indexes and packages lie beside the checkout; says so once where they do not. */
export const haveRealData = existsSync(`${ROOT}README.md`);
if (!haveRealData) console.log(`no real data at ${ROOT}: tests on real indexes and packages are left out`);

/** The text of a real index by its name in the data page's table. */
export function readRealIndex(name: string): string {
  return gunzipSync(readFileSync(`${ROOT}index/${name}-index.yaml.gz`)).toString();
}

/** The rows of the data page's table with this first column title, each as title → cell. */
export function readRealTable(title: string): Record<string, string>[] {
  if (!haveRealData) return [];
  const lines = readFileSync(`${ROOT}README.md`, "utf8").split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${title} |`));
  const end = lines.findIndex((line, at) => at > start && !line.startsWith("|"));
  const [header = [], , ...rows] = lines.slice(start, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ""])));
}

/** The file names of the real packages. */
export function realPackageNames(): string[] {
  return haveRealData ? readdirSync(`${ROOT}charts`).filter((name) => name.endsWith(".tgz")) : [];
}

/** Where a real package lies. */
export function realPackagePath(name: string): string {
  return `${ROOT}charts/${name}`;
}

/** The bytes of a real package. */
export function readRealPackage(name: string): Uint8Array {
  return readFileSync(realPackagePath(name));
}
