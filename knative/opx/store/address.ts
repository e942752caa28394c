import { readFile } from "node:fs/promises";
import { connectKube } from "../../../shared/adapters/kubernetes-config.ts";
import { Failure, messageOf } from "../../../shared/errors.ts";
import { UsageError } from "../command.ts";
import type { OpxEnvironment } from "../config.ts";

/** Options of every command that speaks to the store's REST API. */
export const STORE_OPTIONS = {
  server: { type: "string", value: "URL", description: "address of the store's REST API (default: $OPX_SERVER)" },
  "token-file": {
    type: "string",
    value: "FILE",
    description: "file with a bearer token (default: $OPX_SERVER_TOKEN, else that of the kubeconfig)",
  },
  "server-ca": { type: "string", value: "FILE", description: "certificate authority of the REST API, PEM" },
} as const;

/** What those options say on a command line. */
export interface StoreValues {
  readonly server: string | undefined;
  readonly "token-file": string | undefined;
  readonly "server-ca": string | undefined;
}

/** Where the REST API is, and as whom it is spoken to. */
export interface StoreAddress {
  /** Without a slash at its end. */
  readonly url: string;
  readonly authorization: string;
  readonly ca?: string;
}

/** Where a token is looked for besides the options. */
export interface Identity {
  readonly environment: Pick<OpxEnvironment, "OPX_SERVER" | "OPX_SERVER_TOKEN">;
  readonly kubeconfig: string;
  readonly context?: string;
}

/** Reads the options, then the environment, then the kubeconfig; fails with what to give where nothing is found. */
export async function storeAddress(values: StoreValues, identity: Identity): Promise<StoreAddress> {
  const url = serverUrl(values.server ?? identity.environment.OPX_SERVER);
  const authorization = await authorizationOf(values["token-file"], identity);
  const file = values["server-ca"];
  return { url, authorization, ...(file === undefined ? {} : { ca: await textOf(file, "--server-ca") }) };
}

function serverUrl(text: string | undefined): string {
  if (text === undefined)
    throw new UsageError(
      "where is the store? Give --server URL or set OPX_SERVER; kubectl get ksvc rest-gateway -n openpitrix shows it",
    );
  const url = URL.parse(text);
  if (!url || !["https:", "http:"].includes(url.protocol) || url.username !== "")
    throw new UsageError(`${text} is no address of the store; give one as https://store.example.com`);
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol === "https:" || loopback) return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  throw new UsageError(`${url.origin}: a token is not sent without TLS; give an https address`);
}

async function authorizationOf(tokenFile: string | undefined, { environment, ...at }: Identity): Promise<string> {
  if (tokenFile !== undefined) return `Bearer ${(await textOf(tokenFile, "--token-file")).trim()}`;
  if (environment.OPX_SERVER_TOKEN !== undefined) return `Bearer ${environment.OPX_SERVER_TOKEN}`;
  const named = at.context === undefined ? {} : { context: at.context };
  const connection = await connectKube({ from: "kubeconfig", path: at.kubeconfig, ...named });
  try {
    const { authorization = "" } = (await connection.authorize()).headers;
    if (/^Bearer /i.test(authorization)) return authorization;
  } finally {
    connection.close();
  }
  const hint = "kubectl create token NAME > FILE makes one, give it with --token-file FILE";
  throw new Failure("Forbidden", `the user of kubeconfig ${at.kubeconfig} has no bearer token; ${hint}`);
}

async function textOf(file: string, option: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`${option} ${file}: ${messageOf(error)}`);
  }
}
