import { relative, resolve } from "node:path";
import { messageOf } from "../../shared/errors.ts";
import { localEnvironment } from "./config.ts";
import { type Laptop, startLaptop } from "./laptop.ts";
import { parseOptions, USAGE } from "./options.ts";
import { findTool } from "./tools/find-tool.ts";
import { welcome } from "./welcome.ts";

/** `make run`: starts everything, prints where it is, and stops everything on Ctrl-C. */
async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) return console.log(USAGE);
  const environment = localEnvironment();
  const { state, ...rest } = options;
  const kept = state === undefined ? {} : { state: resolve(state) };
  const laptop = await startLaptop({ environment, ...kept, ...rest });
  const tool = (name: "helm" | "kubectl") => relative(process.cwd(), findTool(name, environment) ?? name);
  console.log(welcome(laptop, { helm: tool("helm"), kubectl: tool("kubectl") }));
  await stopRequested();
  console.log("\nstopping");
  await stop(laptop);
}

function stopRequested(): Promise<unknown> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, resolve);
  });
}

async function stop(laptop: Laptop): Promise<void> {
  // A second Ctrl-C means that waiting for work under way is not wanted.
  process.once("SIGINT", () => process.exit(130));
  await laptop.close();
}

try {
  await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
