import { localEnvironment } from "../../knative/local/config.ts";
import { requireTool, type ToolName } from "../../knative/local/tools/find-tool.ts";

/** Path of a real program for a test; fails with the way to get it where it is missing. */
export function binary(name: ToolName): string {
  return requireTool(name, localEnvironment());
}
