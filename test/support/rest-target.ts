import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as z from "zod";
import type { Laptop } from "../../knative/local/laptop.ts";
import { runCommand } from "../../knative/local/tools/run-command.ts";
import { binary } from "./binaries.ts";
import { indexText } from "./index-text.ts";
import { startTestLaptop } from "./laptop.ts";

/** Those who ask: a store administrator, somebody without any rights, a stranger with a false token, and nobody at all. */
export type Person = "admin" | "powerless" | "stranger" | "nobody";

/** Where the REST API is asked. */
export interface RestTarget {
  readonly url: string;
  /** The workspace in which the suite makes its applications. */
  readonly workspace: string;
  /** A Helm repository that the server can reach and that takes any user; below /missing there is nothing. */
  readonly repositoryUrl: string;
  /** Header of a person's requests. */
  headersOf(person: Person): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The environment variables of a target of one's own; without REST_URL there is a laptop for the time of the run. */
const Environment = z.object({
  REST_URL: z.url().optional(),
  REST_ADMIN_TOKEN: z.string().min(1).optional(),
  REST_POWERLESS_TOKEN: z.string().min(1).optional(),
  REST_REPOSITORY_URL: z.url().optional(),
  REST_WORKSPACE: z.string().default("conformance"),
});

/** Opens the API at REST_URL, with the tokens and the repository that are named beside it, or one on a laptop. */
export async function openRestTarget(): Promise<RestTarget> {
  const given = Environment.parse(process.env);
  const { REST_URL: url, REST_ADMIN_TOKEN: admin, REST_POWERLESS_TOKEN: powerless, REST_WORKSPACE: workspace } = given;
  if (url === undefined) return laptopTarget(workspace);
  const { REST_REPOSITORY_URL: repositoryUrl } = given;
  if (admin === undefined || powerless === undefined || repositoryUrl === undefined) {
    const tokens = "REST_ADMIN_TOKEN (a store administrator), REST_POWERLESS_TOKEN (no rights)";
    throw new Error(`REST_URL needs ${tokens} and REST_REPOSITORY_URL (a Helm repository that it can reach)`);
  }
  return target({ url, workspace, repositoryUrl, admin, powerless }, async () => {});
}

async function laptopTarget(workspace: string): Promise<RestTarget> {
  const laptop = await startTestLaptop();
  const url = laptop.httpUrls["rest-gateway"];
  if (url === undefined) throw new Error("the laptop serves no rest-gateway");
  const powerless = await tokenOf(laptop, "powerless");
  const admin = await tokenOf(laptop, "admin");
  const rights = ["--clusterrole=openpitrix:store-admin", "--serviceaccount=default:admin"];
  await kubectl(laptop, "create", "clusterrolebinding", "rest-admin", ...rights);
  const repository = await serveRepository();
  return target({ url, workspace, repositoryUrl: repository.url, admin, powerless }, async () => {
    await laptop.close();
    await repository.close();
  });
}

/** An index with one chart, and nothing below /missing. */
async function serveRepository() {
  const server = createServer(({ url }, response) => {
    if (url !== "/index.yaml") return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": "text/yaml" }).end(indexText({ web: ["1.0.0"] }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Named {
  readonly url: string;
  readonly workspace: string;
  readonly repositoryUrl: string;
  readonly admin: string;
  readonly powerless: string;
}

function target({ url, workspace, repositoryUrl, ...tokens }: Named, close: () => Promise<void>): RestTarget {
  const all: Readonly<Record<string, string>> = { ...tokens, stranger: "not-a-token" };
  return {
    url: url.replace(/\/$/, ""),
    workspace,
    repositoryUrl,
    headersOf: (person) => (all[person] === undefined ? {} : { authorization: `Bearer ${all[person]}` }),
    close,
  };
}

async function tokenOf(laptop: Laptop, account: string): Promise<string> {
  await kubectl(laptop, "create", "serviceaccount", account, "-n", "default");
  return (await kubectl(laptop, "create", "token", account, "-n", "default")).trim();
}

function kubectl(laptop: Laptop, ...args: readonly string[]): Promise<string> {
  return runCommand(binary("kubectl"), ["--kubeconfig", laptop.kubeconfigPath, ...args]);
}
