/** Where something is: host in lower case without its default port, and path segments. */
interface Place {
  readonly host: string;
  readonly path: readonly string[];
}

const DOCKER_HUB = ["index.docker.io", "registry-1.docker.io", "registry.hub.docker.com", "hub.docker.com"];

/** Reads `[scheme://]host[:port]/path`; `undefined` where there is no host. */
function placeOf(address: string): Place | undefined {
  const [, scheme = "", rest = ""] = /^(?:([a-z0-9+.-]+):\/\/)?(.*)$/i.exec(address.trim()) ?? [];
  const [authority = "", ...path] = rest.split(/[?#]/, 1)[0]?.split("/") ?? [];
  const named = authority.split("@").at(-1)?.toLowerCase() ?? "";
  const host = withoutDefaultPort(named, scheme.toLowerCase());
  if (host === "") return undefined;
  const segments = path.filter((segment) => segment !== "");
  const last = segments.pop();
  const bare = last?.replace(/\.git$/, "");
  return { host: DOCKER_HUB.includes(host) ? "docker.io" : host, path: bare ? [...segments, bare] : segments };
}

/** 443 and 80 belong to their schemes; payloads often name no scheme, so there either of them is taken for the default. */
function withoutDefaultPort(authority: string, scheme: string): string {
  const ports = { https: [":443"], http: [":80"] }[scheme] ?? [":443", ":80"];
  const port = ports.find((each) => authority.endsWith(each));
  return port === undefined ? authority : authority.slice(0, -port.length);
}

/** What follows `base` in `address`, segment by segment; `undefined` where it lies elsewhere. Case matters in neither. */
export function pathBelow(base: string, address: string): readonly string[] | undefined {
  const [outer, inner] = [placeOf(base), placeOf(address)];
  if (!outer || !inner || outer.host !== inner.host) return undefined;
  const same = outer.path.every((segment, index) => segment.toLowerCase() === inner.path[index]?.toLowerCase());
  return same ? inner.path.slice(outer.path.length) : undefined;
}

/** The last segment of an address. */
export function lastSegment(address: string): string | undefined {
  return placeOf(address)?.path.at(-1);
}

/** An address as events carry it: host and path, without user, scheme and default port. */
export function plainAddress(address: string): string {
  const place = placeOf(address);
  return place ? [place.host, ...place.path].join("/") : address;
}

/** The Git repository that pages or raw files of GitHub and GitLab are served from, if the address is of that sort. */
export function gitAddress(url: string): string | undefined {
  const place = placeOf(url);
  if (!place) return undefined;
  const { host, path } = place;
  const [, owner, domain] = /^([^.]+)\.(github|gitlab)\.io$/.exec(host) ?? [];
  if (owner && domain) return `${domain}.com/${owner}/${path[0] ?? host}`;
  return host === "raw.githubusercontent.com" ? `github.com/${path.slice(0, 2).join("/")}` : undefined;
}
