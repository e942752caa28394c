import * as z from "zod";
import { Failure } from "../errors.ts";

const path = z.string().min(1);
const httpUrl = z.url({ protocol: /^https?$/ });

function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: "custom", message: "is no JSON" });
    return z.NEVER;
  }
}

/** Every environment variable that a function process reads, and what each means. */
const Environment = z.object({
  FUNCTION: z.string().min(1).optional().describe("Name of the function to run, where the program holds several."),
  HOST: z.string().min(1).default("0.0.0.0").describe("Address to listen on."),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080).describe("Port to listen on; 0 takes a free one."),
  DELIVERY: z.enum(["http", "nats"]).default("http").describe("How events come in."),
  EMIT: z.enum(["nats", "sink"]).default("nats").describe("Where events go: the NATS stream, or K_SINK."),
  K_SINK: httpUrl.optional().describe("Address that takes CloudEvents, as SinkBinding sets it."),
  K_CE_OVERRIDES: z
    .string()
    .transform(parseJson)
    .pipe(z.object({ extensions: z.record(z.string().regex(/^[a-z0-9]+$/), z.string()).default({}) }))
    .optional()
    .describe("Extensions for every event that goes to K_SINK, as SinkBinding sets them."),
  DEAD_LETTER_SINK: httpUrl.optional().describe("Address that takes dead letters where EMIT is sink."),
  NATS_URL: z.string().min(1).default("nats://127.0.0.1:4222").describe("Addresses of NATS, separated by commas."),
  NATS_CREDS: path.optional().describe("File with NATS credentials."),
  NATS_TOKEN: z.string().min(1).optional(),
  NATS_USER: z.string().min(1).optional(),
  NATS_PASSWORD: z.string().optional(),
  NATS_CA: path.optional().describe("File with the certificate authority of NATS."),
  NATS_CERT: path.optional().describe("File with our client certificate."),
  NATS_KEY: path.optional().describe("File with the key of our client certificate."),
  KUBECONFIG: path.optional().describe("kubeconfig file; without it the Pod's ServiceAccount is used."),
  KUBERNETES_SERVICE_HOST: z.string().min(1).optional(),
  KUBERNETES_SERVICE_PORT: z.string().min(1).default("443"),
  SERVICE_ACCOUNT_DIRECTORY: path
    .optional()
    .describe("Where the Pod's token and ca.crt are; default: Kubernetes' own."),
  HELM: path.default("helm").describe("The helm program."),
  PATH: z.string().default("/usr/local/bin:/usr/bin:/bin"),
  HOME: z.string().optional(),
  HTTP_PROXY: z.string().optional().describe("Proxy to http:// repositories, also for Helm."),
  HTTPS_PROXY: z.string().optional().describe("Proxy to https:// repositories, also for Helm."),
  NO_PROXY: z.string().optional().describe("Hosts that are spoken to directly, separated by commas."),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
});

/** The settings of one function process. */
export type HostConfig = z.output<typeof Environment>;

/**
 * Reads the settings from the environment (default: this process's own); an empty variable counts as not set.
 * Fails with `Invalid`, naming each variable, what is wrong with it and what it is for.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): HostConfig {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const { data, error } = Environment.safeParse(set);
  if (error) throw new Failure("Invalid", error.issues.map(explain).join("; "));
  if (data.EMIT === "sink" && data.K_SINK === undefined) {
    throw new Failure("Invalid", "EMIT=sink needs K_SINK: set it to the Broker's address, or set EMIT=nats");
  }
  if (data.EMIT === "sink" && data.DEAD_LETTER_SINK === undefined) {
    throw new Failure("Invalid", "EMIT=sink needs DEAD_LETTER_SINK: set it to an address that keeps dead letters");
  }
  return data;
}

function explain({ path: [name], message }: z.core.$ZodIssue): string {
  const purpose = Environment.shape[name as keyof typeof Environment.shape]?.description;
  return `environment variable ${String(name)}: ${message}${purpose === undefined ? "" : ` (${purpose})`}`;
}
