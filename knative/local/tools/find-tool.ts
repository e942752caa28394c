import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { LocalEnvironment } from "../config.ts";

/** The programs that the laptop and tests start or call. */
export type ToolName = "nats-server" | "helm" | "kubectl" | "docker-registry";

/** Folder of the repository into which missing tools are fetched. */
export const TOOLS_FOLDER = join(import.meta.dirname, "../../../.cache/tools");

const VARIABLE = {
  "nats-server": "NATS_SERVER",
  helm: "HELM",
  kubectl: "KUBECTL",
  "docker-registry": "DOCKER_REGISTRY",
} as const;

/** Any of these from the PATH will do; `helm` and `kubectl` are taken at the version that is known to work. */
const FROM_PATH: readonly ToolName[] = ["nats-server", "docker-registry"];

/** Path of a tool: its variable, then the PATH where any version will do, then the tools folder; throws if the variable points nowhere. */
export function findTool(name: ToolName, environment: LocalEnvironment): string | undefined {
  const variable = VARIABLE[name];
  const given = environment[variable];
  if (given !== undefined) {
    if (isExecutable(given)) return given;
    throw new Error(`${variable}=${given} is no executable file. Correct or unset ${variable}`);
  }
  const folders = FROM_PATH.includes(name) ? environment.PATH.split(delimiter) : [];
  return [...folders, TOOLS_FOLDER].map((folder) => join(folder, name)).find(isExecutable);
}

/** Path of a tool that must be there; the error says how to get it. */
export function requireTool(name: ToolName, environment: LocalEnvironment): string {
  const path = findTool(name, environment);
  if (path !== undefined) return path;
  const target = name === "docker-registry" ? "make test" : "make tools";
  throw new Error(`${name} was not found. Run \`${target}\`, or set ${VARIABLE[name]} to its path`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
