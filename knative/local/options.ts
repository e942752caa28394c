import { parseArgs } from "node:util";
import type { LaptopPorts } from "./laptop.ts";

/** What the command line of `make run` says. */
export interface RunOptions {
  readonly help: boolean;
  /** `undefined`: a new folder that is removed at the end. */
  readonly state: string | undefined;
  readonly memory: boolean;
  readonly processes: boolean;
  readonly strictNatss: boolean;
  readonly stage: boolean;
  readonly ports: LaptopPorts;
}

/** Text of `--help`. */
export const USAGE = `Keeps a store up on this machine: nats-server, a Kubernetes API, Broker, Triggers, sources and all functions.

  --state DIR             where everything is kept (default .local)
  --memory                keep nothing
  --processes             each function in a process of its own behind HTTP, as on Knative
  --strict-natss          --processes, and events delivered as eventing-natss does: refused ones are lost
  --no-stage              leave workloads as they are instead of marking them ready
  --kubernetes-port N     port of the Kubernetes API (default 16443)
  --nats-port N           port of nats-server (default 14222)
  --ingress-port N        port of the Broker's ingress (default 18080)
  --uploads-port N        port of the upload address (default 18081)
  --http-port N           port of the first HTTP function, the next ones follow (default 18082)
  --help                  this text

Port 0 takes a free one. With KUBECONFIG set, that cluster is used instead of the Kubernetes API of this process.`;

const OPTIONS = {
  state: { type: "string" },
  memory: { type: "boolean", default: false },
  processes: { type: "boolean", default: false },
  "strict-natss": { type: "boolean", default: false },
  "no-stage": { type: "boolean", default: false },
  "kubernetes-port": { type: "string", default: "16443" },
  "nats-port": { type: "string", default: "14222" },
  "ingress-port": { type: "string", default: "18080" },
  "uploads-port": { type: "string", default: "18081" },
  "http-port": { type: "string", default: "18082" },
  help: { type: "boolean", default: false },
} as const;

/** Reads the command line; throws on an option that is not known or a port that is none. */
export function parseOptions(args: readonly string[]): RunOptions {
  const { values } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: false });
  return {
    help: values.help,
    state: values.state ?? (values.memory ? undefined : ".local"),
    memory: values.memory,
    // What differs is what an HTTP answer means.
    processes: values.processes || values["strict-natss"],
    strictNatss: values["strict-natss"],
    stage: !values["no-stage"],
    ports: {
      kubernetes: port("kubernetes-port", values["kubernetes-port"]),
      nats: port("nats-port", values["nats-port"]),
      ingress: port("ingress-port", values["ingress-port"]),
      uploads: port("uploads-port", values["uploads-port"]),
      http: port("http-port", values["http-port"]),
    },
  };
}

function port(name: string, text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65_535)
    throw new Error(`--${name} ${text} is no port; give a number from 0 to 65535`);
  return number;
}
