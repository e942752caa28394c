import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build, type Metafile, type Plugin } from "esbuild";
import { functions, httpFunctions } from "../functions/index.ts";
import { BUNDLE_OPTIONS } from "./bundle-options.ts";

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

/**
 * Big, and loaded only by few: where a kubeconfig asks for what our own client cannot do, and where a repository asks
 * for provenance. Bundled once for all functions, as modules of their own that can be exchanged (openpgp is LGPL).
 */
const SHARED_LIBRARIES = ["@kubernetes/client-node", "openpgp"];

/** Bundles functions, each with the host and nothing of the others; throws where a name is not registered. */
export async function bundleFunctions(names: readonly string[], outdir: string = DIST): Promise<readonly Bundle[]> {
  const known = NAMES;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`no function is called ${unknown}; functions/index.ts has ${known.join(", ")}`);
  }
  for (const library of SHARED_LIBRARIES) await bundleLibrary(library, outdir);
  const bundles: Bundle[] = [];
  for (const name of names) bundles.push(await bundleFunction(name, outdir));
  return bundles;
}

const NAMES = [...functions, ...httpFunctions].map(({ name }) => name);

const COMMON = { ...BUNDLE_OPTIONS, absWorkingDir: ROOT };

async function bundleFunction(name: string, outdir: string): Promise<Bundle> {
  await rm(join(outdir, "chunks", name), { recursive: true, force: true });
  const { metafile } = await build({
    ...COMMON,
    entryPoints: [{ in: `${ENTRY}:${name}`, out: name }],
    plugins: [...COMMON.plugins, entryPlugin],
    external: SHARED_LIBRARIES,
    outdir,
    outExtension: { ".js": ".mjs" },
    chunkNames: `chunks/${name}/[name]-[hash]`,
    // Adapters that are imported on demand stay files of their own, so that a start does not read them.
    splitting: true,
    sourcemap: "linked",
    metafile: true,
  });
  return { name, file: join(outdir, `${name}.mjs`), ...measure(metafile) };
}

/** Puts a shared library where Node looks for it when a bundle beside it imports it by name. */
async function bundleLibrary(name: string, outdir: string): Promise<void> {
  const folder = join(outdir, "node_modules", name);
  await mkdir(folder, { recursive: true });
  await build({ ...COMMON, entryPoints: [name], outfile: join(folder, "index.mjs") });
  const manifest = { name, type: "module", exports: "./index.mjs" };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
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
      contents: [`import definition from "./functions/${name}/function.ts";`, ...serving(name)].join("\n"),
    }));
  },
};

/** HTTP functions come without what decodes events and decides on them. */
function serving(name: string): readonly string[] {
  return httpFunctions.some((each) => each.name === name)
    ? [`import { serveHttpFunction } from "./shared/host/http-main.ts";`, "await serveHttpFunction(definition);"]
    : [
        `import { serve } from "./shared/host/main.ts";`,
        `await serve({ name: ${JSON.stringify(name)}, function: definition });`,
      ];
}

function measure({ outputs }: Metafile): Pick<Bundle, "startBytes" | "totalBytes"> {
  const scripts = Object.keys(outputs).filter((path) => path.endsWith(".mjs"));
  const atStart = new Set<string>();
  const follow = (path: string) => {
    if (atStart.has(path) || !outputs[path]) return;
    atStart.add(path);
    for (const imported of outputs[path].imports) if (imported.kind === "import-statement") follow(imported.path);
  };
  scripts.filter((path) => outputs[path]?.entryPoint?.startsWith(ENTRY)).forEach(follow);
  const bytes = (paths: Iterable<string>) => [...paths].reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
  return { startBytes: bytes(atStart), totalBytes: bytes(scripts) };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: "string" }, out: { type: "string", default: DIST } } });
  const names = values.only === undefined ? NAMES : [values.only];
  const kb = (bytes: number) => `${Math.round(bytes / 1024)} KiB`.padStart(8);
  for (const { name, startBytes, totalBytes } of await bundleFunctions(names, resolve(values.out))) {
    process.stdout.write(`${name.padEnd(24)} ${kb(startBytes)} at start ${kb(totalBytes)} in all\n`);
  }
}

if (import.meta.main) await main();
