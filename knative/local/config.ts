import * as z from "zod";

/** The environment variables that the laptop and its tools know; everything else is an option on the command line. */
const Environment = z.object({
  PATH: z.string().default("/usr/local/bin:/usr/bin:/bin"),
  NATS_SERVER: z.string().min(1).optional(),
  HELM: z.string().min(1).optional(),
  KUBECTL: z.string().min(1).optional(),
  DOCKER_REGISTRY: z.string().min(1).optional(),
  KUBECONFIG: z.string().min(1).optional(),
  HTTP_PROXY: z.string().optional(),
  HTTPS_PROXY: z.string().optional(),
  NO_PROXY: z.string().optional(),
  REPO: z.string().min(1).optional(),
  NO_COLOR: z.string().optional(),
});
export type LocalEnvironment = z.output<typeof Environment>;

/** Reads the environment of the laptop; an empty variable counts as not set. */
export function localEnvironment(): LocalEnvironment {
  const set = Object.entries(process.env).filter(([, value]) => value !== "");
  return Environment.parse(Object.fromEntries(set));
}

/** The proxies of this machine, for all that fetches from repositories. */
export function proxiesOf({ HTTP_PROXY = "", HTTPS_PROXY = "", NO_PROXY = "" }: LocalEnvironment) {
  return { HTTP_PROXY, HTTPS_PROXY, NO_PROXY };
}
