import * as z from "zod";
import { Failure } from "../errors.ts";

/** How a registry is signed in to. */
export interface DockerSignIn {
  readonly username?: string;
  readonly password?: string;
  readonly token?: string;
}

/** Whose sign-in is looked for, and where. */
interface Search {
  /** The repository's URL. */
  readonly url: string;
  /** The Secret as errors name it. */
  readonly secret: string;
}

const Entry = z.object({
  auth: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  registrytoken: z.string().optional(),
});
type Entry = z.output<typeof Entry>;

const Config = z.object({ auths: z.record(z.string(), Entry) });

/** Names under which Docker keeps its own registry. */
const DOCKER_HUB = ["docker.io", "index.docker.io", "registry-1.docker.io"];

/**
 * Finds the sign-in for a repository's host in a `.dockerconfigjson`; nothing where there is no such text.
 * Fails with Invalid where it cannot be read or has no sign-in for the host.
 */
export function dockerSignIn(text: string | undefined, { url, secret }: Search): DockerSignIn {
  if (text === undefined) return {};
  const auths = authsOf(text, secret);
  const wanted = hostOf(url);
  const entry = Object.entries(auths).find(([name]) => sameRegistry(hostOf(name), wanted))?.[1];
  if (!entry) {
    const hosts = Object.keys(auths).map(hostOf).slice(0, 10).join(", ") || "no host";
    throw new Failure(
      "Invalid",
      `${secret} signs in to ${hosts} and not to ${wanted}; add it with kubectl create secret docker-registry`,
    );
  }
  return signInOf(entry, { wanted, secret });
}

function authsOf(text: string, secret: string): z.output<typeof Config>["auths"] {
  try {
    return Config.parse(JSON.parse(text)).auths;
  } catch {
    // The cause would show what is in the Secret.
    throw new Failure("Invalid", `.dockerconfigjson of ${secret} is no Docker configuration with auths; make it again`);
  }
}

function signInOf(entry: Entry, { wanted, secret }: { wanted: string; secret: string }): DockerSignIn {
  if (entry.registrytoken) return { token: entry.registrytoken };
  if (entry.username && entry.password) return { username: entry.username, password: entry.password };
  const decoded = Buffer.from(entry.auth ?? "", "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  if (colon > 0) return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
  throw new Failure("Invalid", `${secret} has neither auth nor username and password for ${wanted}; add them`);
}

/** The host of `https://index.docker.io/v1/`, `registry.example:5000/team` or `oci://registry.example/charts`. */
function hostOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/^[a-z0-9+.-]+:\/\//, "")
    .replace(/^[^/]*@/, "")
    .replace(/\/.*$/s, "");
}

function sameRegistry(a: string, b: string): boolean {
  return a === b || (DOCKER_HUB.includes(a) && DOCKER_HUB.includes(b));
}
