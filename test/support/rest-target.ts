import * as z from "zod";
import type { Laptop } from "../../knative/local/laptop.ts";
import { runCommand } from "../../knative/local/tools/run-command.ts";
import { binary } from "./binaries.ts";
import { startTestLaptop } from "./laptop.ts";

/** Those who ask: a store administrator, somebody without any rights, a stranger with a false token, and nobody at all. */
export type Person = "admin" | "powerless" | "stranger" | "nobody";

/** Where the REST API is asked. */
export interface RestTarget {
  readonly url: string;
  /** The workspace in which the suite makes its applications. */
  readonly workspace: string;
  /** Header of a person's requests. */
  headersOf(person: Person): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The environment variables of a target of one's own; without REST_URL there is a laptop for the time of the run. */
const Environment = z.object({
  REST_URL: z.url().optional(),
  REST_ADMIN_TOKEN: z.string().min(1).optional(),
  REST_POWERLESS_TOKEN: z.string().min(1).optional(),
  REST_WORKSPACE: z.string().default("conformance"),
});

/** Opens the API at REST_URL, with REST_ADMIN_TOKEN and REST_POWERLESS_TOKEN, or one on a laptop. */
export async function openRestTarget(): Promise<RestTarget> {
  const given = Environment.parse(process.env);
  const { REST_URL: url, REST_ADMIN_TOKEN: admin, REST_POWERLESS_TOKEN: powerless, REST_WORKSPACE: workspace } = given;
  if (url === undefined) return laptopTarget(workspace);
  if (admin === undefined || powerless === undefined) {
    throw new Error("REST_URL needs REST_ADMIN_TOKEN (a store administrator) and REST_POWERLESS_TOKEN (no rights)");
  }
  return target({ url, workspace, admin, powerless }, async () => {});
}

async function laptopTarget(workspace: string): Promise<RestTarget> {
  const laptop = await startTestLaptop();
  const url = laptop.httpUrls["rest-gateway"];
  if (url === undefined) throw new Error("the laptop serves no rest-gateway");
  const powerless = await tokenOf(laptop, "powerless");
  const admin = await tokenOf(laptop, "admin");
  const rights = ["--clusterrole=openpitrix:store-admin", "--serviceaccount=default:admin"];
  await kubectl(laptop, "create", "clusterrolebinding", "rest-admin", ...rights);
  return target({ url, workspace, admin, powerless }, () => laptop.close());
}

interface Named {
  readonly url: string;
  readonly workspace: string;
  readonly admin: string;
  readonly powerless: string;
}

function target({ url, workspace, ...tokens }: Named, close: () => Promise<void>): RestTarget {
  const all: Readonly<Record<string, string>> = { ...tokens, stranger: "not-a-token" };
  return {
    url: url.replace(/\/$/, ""),
    workspace,
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
