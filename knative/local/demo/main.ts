import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../../shared/errors.ts";
import { type LocalEnvironment, localEnvironment } from "../config.ts";
import { startLaptop } from "../laptop.ts";
import { requireTool } from "../tools/find-tool.ts";
import { makeIndex, makePackages, REPOSITORY_PACKAGES } from "./chart-packages.ts";
import { type ChartServer, serveCharts } from "./chart-server.ts";
import { createKubectl } from "./kubectl.ts";
import { createObserver } from "./observer.ts";
import { runDemo } from "./run-demo.ts";
import { createScreen, type Screen } from "./screen.ts";

/** `make demo`: starts everything, walks through the whole lifecycle and stops everything; exit code 0 if every step was seen. */
async function main(): Promise<void> {
  const environment = localEnvironment();
  const screen = createScreen(process.stdout, environment.NO_COLOR !== undefined);
  const folder = await mkdtemp(join(tmpdir(), "openpitrix-demo-"));
  try {
    process.exitCode = (await demo(folder, environment, screen)) ? 0 : 1;
  } catch (error) {
    screen.line(`${screen.paint.bad("failed")} ${messageOf(error)}`);
    process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function demo(folder: string, environment: LocalEnvironment, screen: Screen): Promise<boolean> {
  const helm = { helm: requireTool("helm", environment), folder };
  const own = environment.REPO === undefined ? await serveOwnRepository(helm) : undefined;
  const repositoryUrl = environment.REPO ?? own?.url ?? "";
  const observer = createObserver();
  const end = screen.begin("start nats-server, Kubernetes API, Broker, sources and functions");
  const laptop = await startLaptop({ environment, memory: true });
  try {
    laptop.onHandled(observer.note);
    end(true, laptop.kubeUrl);
    if (!own) screen.line(`using the repository ${repositoryUrl}; the release is taken from it as well`);
    const kubectl = createKubectl({
      kubectl: requireTool("kubectl", environment),
      kubeconfig: laptop.kubeconfigPath,
      home: join(folder, "kubectl-home"),
    });
    return await runDemo({ laptop, kubectl, helm, observer, repositoryUrl, foreign: !own, version: "" }, screen);
  } finally {
    await laptop.close();
    await own?.close();
  }
}

async function serveOwnRepository(at: { readonly helm: string; readonly folder: string }): Promise<ChartServer> {
  const repository = await makePackages(at, "repository", REPOSITORY_PACKAGES);
  await makeIndex(at, repository);
  return serveCharts(repository);
}

await main();
