import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { GeneratedFiles } from "./files.ts";

/** Folders below `knative/` that hold nothing but generated files. */
const FOLDERS = ["manifests", "catalogue"];

/** A file on disk that is not what the declarations say. */
export interface Difference {
  readonly path: string;
  readonly why: "missing" | "changed" | "no longer generated";
}

/** Compares the generated files with those below `root`, sorted by path. */
export async function differences(root: string, files: GeneratedFiles): Promise<readonly Difference[]> {
  const present = (await Promise.all(FOLDERS.map((folder) => list(root, folder)))).flat();
  const stale = present
    .filter((path) => !files.has(path))
    .map((path): Difference => ({ path, why: "no longer generated" }));
  const compared = await Promise.all([...files].map(([path, text]) => compare(root, path, text)));
  const all = [...stale, ...compared.filter((difference) => difference !== undefined)];
  return all.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Writes what is missing or changed and removes what is no longer generated. */
export async function writeFiles(root: string, files: GeneratedFiles, found: readonly Difference[]): Promise<void> {
  for (const { path } of found) {
    const target = join(root, path);
    const text = files.get(path);
    if (text === undefined) await rm(target);
    else {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
    }
  }
}

async function list(root: string, folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

async function compare(root: string, path: string, text: string): Promise<Difference | undefined> {
  try {
    const present = await readFile(join(root, path), "utf8");
    return present === text ? undefined : { path, why: "changed" };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { path, why: "missing" };
    throw error;
  }
}
