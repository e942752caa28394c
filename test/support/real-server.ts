import { readFile } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { parseYaml } from "../../shared/adapters/yaml.ts";
import { startApiServer } from "./api-server.ts";

/** A Kubernetes API server that is not the laptop's, as checks reach it. */
export interface RealServer {
  /** What it lacks, as the list of known differences names it. */
  readonly side: "cluster" | "api-server";
  readonly url: string;
  readonly kubeconfig: string;
  readonly ca?: string;
  readonly token?: string;
  readonly clientCertificate?: { readonly cert: string; readonly key: string };
}

declare module "vitest" {
  interface ProvidedContext {
    realServer: RealServer;
  }
}

/** Gives the checks of a project the cluster that CONTRACT_KUBECONFIG names, else a server of the programs in KUBEBUILDER_ASSETS. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { CONTRACT_KUBECONFIG: file, KUBEBUILDER_ASSETS: assets = "" } = project.config.env;
  if (file) {
    project.provide("realServer", readServer("cluster", await readFile(file, "utf8")));
    return async () => {};
  }
  const server = await startApiServer(assets);
  project.provide("realServer", readServer(server.controllers ? "cluster" : "api-server", server.kubeconfig));
  return server.stop;
}

interface Kubeconfig {
  readonly "current-context": string;
  readonly contexts: readonly {
    readonly name: string;
    readonly context: { readonly cluster: string; readonly user: string };
  }[];
  readonly clusters: readonly { readonly name: string; readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly name: string; readonly user: Readonly<Record<string, string>> }[];
}

function readServer(side: RealServer["side"], kubeconfig: string): RealServer {
  const config = parseYaml(kubeconfig) as Kubeconfig;
  const context = config.contexts.find(({ name }) => name === config["current-context"])?.context;
  const cluster = config.clusters.find(({ name }) => name === context?.cluster)?.cluster ?? {};
  const user = config.users.find(({ name }) => name === context?.user)?.user ?? {};
  const ca = decoded(cluster["certificate-authority-data"]);
  const [cert, key] = [decoded(user["client-certificate-data"]), decoded(user["client-key-data"])];
  return {
    side,
    url: cluster["server"] ?? "",
    kubeconfig,
    ...(ca === undefined ? {} : { ca }),
    ...(user["token"] === undefined ? {} : { token: user["token"] }),
    ...(cert === undefined || key === undefined ? {} : { clientCertificate: { cert, key } }),
  };
}

function decoded(value: string | undefined): string | undefined {
  return value === undefined ? undefined : Buffer.from(value, "base64").toString();
}
