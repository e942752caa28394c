import { basename, join } from "node:path";
import { build } from "esbuild";
import { BUNDLE_OPTIONS } from "../../knative/bundle-options.ts";

/** Bundles a program of this folder as functions are bundled for their image, and tells the file to start. */
export async function bundleProcess(name: string, outdir: string): Promise<string> {
  const entryPoints = [join(import.meta.dirname, name)];
  await build({ ...BUNDLE_OPTIONS, entryPoints, outdir, outExtension: { ".js": ".mjs" }, splitting: true });
  return join(outdir, `${basename(name, ".ts")}.mjs`);
}
