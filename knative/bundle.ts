import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build, type Metafile, type Plugin } from "esbuild";
import { functions } from "../functions/index.ts";

const ROOT = resolve(import.meta.dirname, "..");

/** Folder that the image is built from. */
export const DIST = join(ROOT, "dist/functions");

/** What one function came to when bundled. */
export interface Bundle {
  readonly name: string;
  /** The file to start: `<name>.mjs`. */
  readonly file: string;
  /** Bytes that every start reads: the entry and the chunks that it imports at once. */
  readonly startBytes: number;
  /** Bytes with the chunks that are loaded only when they are needed. */
  readonly totalBytes: number;
}

/** Bundles one function with the host and nothing of the other functions; throws where the name is not registered. */
export async function bundleFunction(name: string, outdir: string = DIST): Promise<Bundle> {
  if (!functions.some((identity) => identity.name === name)) {
    throw new Error(
      `no function is called ${name}; functions/index.ts has ${functions.map((each) => each.name).join(", ")}`,
    );
  }
  await rm(join(outdir, "chunks", name), { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [{ in: `${ENTRY}:${name}`, out: name }],
    plugins: [entryPlugin],
    outdir,
    outExtension: { ".js": ".mjs" },
    chunkNames: `chunks/${name}/[name]-[hash]`,
    bundle: true,
    // Adapters that are imported on demand stay files of their own, so that a start does not read them.
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    minify: true,
    sourcemap: "linked",
    legalComments: "linked",
    metafile: true,
    logLevel: "error",
    // CommonJS dependencies call require for Node's own modules.
    banner: { js: 'import{createRequire as $r}from"node:module";const require=$r(import.meta.url);' },
  });
  return measure(name, join(outdir, `${name}.mjs`), metafile);
}

const ENTRY = "function-entry";

/** Makes an entry per function that imports this function and the host only. */
const entryPlugin: Plugin = {
  name: ENTRY,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${ENTRY}:`) }, ({ path }) => ({
      path: path.slice(ENTRY.length + 1),
      namespace: ENTRY,
    }));
    onLoad({ filter: /./, namespace: ENTRY }, ({ path: name }) => ({
      resolveDir: ROOT,
      loader: "ts",
      contents: [
        `import definition from "./functions/${name}/function.ts";`,
        `import { serve } from "./shared/host/main.ts";`,
        `await serve({ name: ${JSON.stringify(name)}, function: definition });`,
      ].join("\n"),
    }));
  },
};

function measure(name: string, file: string, { outputs }: Metafile): Bundle {
  const scripts = Object.entries(outputs).filter(([path]) => path.endsWith(".mjs"));
  const entry = scripts.find(([, output]) => output.entryPoint?.startsWith(ENTRY));
  const atStart = new Set<string>();
  const follow = (path: string) => {
    if (atStart.has(path) || !outputs[path]) return;
    atStart.add(path);
    for (const imported of outputs[path].imports) if (imported.kind === "import-statement") follow(imported.path);
  };
  if (entry) follow(entry[0]);
  const bytes = (paths: Iterable<string>) => [...paths].reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
  return { name, file, startBytes: bytes(atStart), totalBytes: bytes(scripts.map(([path]) => path)) };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: "string" }, out: { type: "string", default: DIST } } });
  const names = values.only === undefined ? functions.map(({ name }) => name) : [values.only];
  for (const name of names) {
    const { startBytes, totalBytes } = await bundleFunction(name, resolve(values.out));
    const kb = (bytes: number) => `${Math.round(bytes / 1024)} KiB`.padStart(8);
    process.stdout.write(`${name.padEnd(24)} ${kb(startBytes)} at start ${kb(totalBytes)} in all\n`);
  }
}

if (import.meta.main) await main();
