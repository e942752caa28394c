import { builtinModules } from "node:module";
import type { BuildOptions, Plugin } from "esbuild";

const NAMESPACE = "node-builtin";

/**
 * Takes Node's own modules as they are instead of importing them: an import reads every export of a module, and those
 * of node:http load a whole fetch client, which costs each start 20 ms.
 */
const builtinsPlugin: Plugin = {
  name: NAMESPACE,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) => {
      const imported = kind === "import-statement" || kind === "dynamic-import";
      const builtin = path.startsWith("node:") || builtinModules.includes(path);
      return imported && builtin ? { path, namespace: NAMESPACE } : undefined;
    });
    onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** How everything that is shipped is bundled. */
export const BUNDLE_OPTIONS = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node24",
  minify: true,
  legalComments: "linked",
  logLevel: "error",
  plugins: [builtinsPlugin],
  // CommonJS dependencies call require for Node's own modules.
  banner: {
    js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
  },
} as const satisfies BuildOptions;
