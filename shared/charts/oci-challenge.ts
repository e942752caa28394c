/** How a registry wants to be signed in to, as its `WWW-Authenticate` says. */
export type RegistryChallenge =
  | { readonly scheme: "basic" }
  | {
      readonly scheme: "bearer";
      /** Where tokens are issued. */
      readonly realm: URL;
      readonly service?: string;
      readonly scope?: string;
    };

const MAX_LENGTH = 8192;
/** One scheme, or one parameter `name=value` or `name="value"`, of RFC 9110 section 11.6.1. */
const PART = /([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w-]+)))?/g;

/** Reads a `WWW-Authenticate` header; of several ways to sign in a token is preferred. */
export function parseChallenge(header: string | undefined): RegistryChallenge | undefined {
  const schemes = schemesOf((header ?? "").slice(0, MAX_LENGTH));
  const bearer = schemes.find(({ name }) => name === "bearer");
  const realm = URL.parse(bearer?.parameters.get("realm") ?? "");
  if (bearer && realm) {
    const [service, scope] = ["service", "scope"].map((name) => bearer.parameters.get(name));
    return { scheme: "bearer", realm, ...(service ? { service } : {}), ...(scope ? { scope } : {}) };
  }
  return schemes.some(({ name }) => name === "basic") ? { scheme: "basic" } : undefined;
}

interface Scheme {
  readonly name: string;
  readonly parameters: Map<string, string>;
}

function schemesOf(header: string): readonly Scheme[] {
  const schemes: Scheme[] = [];
  for (const [, name = "", quoted, plain] of header.matchAll(PART)) {
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    if (value === undefined) schemes.push({ name: name.toLowerCase(), parameters: new Map() });
    else schemes.at(-1)?.parameters.set(name.toLowerCase(), value);
  }
  return schemes;
}

/**
 * Why credentials are not sent to where a registry says tokens are issued; `undefined` where they are. As docker and oras
 * do, any https address is trusted: a registry that wants the password could ask for it itself. Over plain HTTP they go
 * nowhere but to the registry's own host, or from a loopback registry to a loopback issuer.
 */
export function realmProblem(registry: URL, realm: URL): string | undefined {
  if (realm.username || realm.password) return "carries credentials";
  if (realm.protocol === "https:") return undefined;
  if (realm.protocol !== "http:") return `has the scheme ${realm.protocol} where https is needed`;
  const plain = registry.protocol === "http:";
  if (plain && registry.host === realm.host) return undefined;
  if (plain && isLoopback(registry.hostname) && isLoopback(realm.hostname)) return undefined;
  return "is a plain http address on another host";
}

/** Whether a host is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
