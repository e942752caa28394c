import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";

/** The environment variables that opx knows; options on the command line come before them. */
const Environment = z.object({
  KUBECONFIG: z.string().optional(),
  NATS_URL: z.string().optional().describe("Addresses of NATS, for what only the stream of events knows."),
  NATS_CREDS: z.string().optional(),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
  NATS_TOKEN: z.string().optional(),
  OPX_PASSWORD: z.string().optional().describe("Password of the repository that is added."),
  OPX_SERVER: z.string().optional().describe("Address of the store's REST API."),
  OPX_SERVER_TOKEN: z.string().optional().describe("Bearer token for the store's REST API."),
  OPX_TOKEN: z.string().optional().describe("Token of the repository that is added."),
});

/** The settings of opx. */
export type OpxEnvironment = z.output<typeof Environment> & { readonly KUBECONFIG: string };

/** Reads the environment; an empty variable counts as not set. */
export function opxEnvironment(): OpxEnvironment {
  const set = Object.entries(process.env).filter(([, value]) => value !== "");
  const environment = Environment.parse(Object.fromEntries(set));
  return { ...environment, KUBECONFIG: environment.KUBECONFIG ?? join(homedir(), ".kube", "config") };
}
