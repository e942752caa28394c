import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { sameHost } from "../charts/resolve-url.ts";
import { Failure } from "../errors.ts";
import type { RepositoryAccess } from "../ports.ts";

/** Where an address leads, from what everybody may reach to what nobody may. */
type Reach = "public" | "private" | "loopback" | "refused";

const ORDER: readonly Reach[] = ["public", "private", "loopback", "refused"];

/** Metadata services of clouds, the link itself, and what is no host at all: no repository lives there, but credentials do. */
const REFUSED = blockList(
  ["169.254.0.0/16", "100.100.100.200/32", "192.0.0.192/32", "224.0.0.0/4", "240.0.0.0/4"],
  ["fe80::/10", "fd00:ec2::254/128", "ff00::/8"],
);

const LOOPBACK = blockList(["127.0.0.0/8", "0.0.0.0/8"], ["::1/128", "::/128"]);

/** RFC 1918, 4193, 6598 and the special-purpose registries of IANA; 6to4 and Teredo hide an IPv4 address. */
const PRIVATE = blockList(
  ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "198.18.0.0/15", "192.0.0.0/24"],
  ["fc00::/7", "fec0::/10", "2002::/16", "2001::/32", "64:ff9b:1::/48"],
);

/** Names that mean something inside one network only. */
const INSIDE = /^[^.]+$|\.(local|internal|svc|lan|intranet|home\.arpa)$/;

/** Judges the addresses that one request may go to. */
export interface AddressGuard {
  /** Refuses a host that is an address; names are judged when they are resolved. */
  refuseHost(): void;
  /** Resolves names for the connection itself, so that what was judged is what is connected to. */
  readonly lookup: LookupFunction;
}

/**
 * The guard of one request. The repository's own scheme, host and port may be anywhere but at a refused address. Where
 * else its redirects and chart URLs lead may not be nearer than the repository's URL says it is itself: from a public
 * name not to private or loopback addresses, unless `allowedHosts` names the host. The URL decides and not what its name
 * resolves to, for its owner can change that at any time.
 */
export function addressGuard(access: RepositoryAccess, url: URL, resolve: typeof lookup = lookup): AddressGuard {
  const hostname = bare(url.hostname);
  const limit = farthest(access, url);
  const problem = (address: string) => {
    const reach = reachOf(address);
    return ORDER.indexOf(reach) > ORDER.indexOf(limit) ? refusal(url, { address, reach }) : undefined;
  };
  return {
    refuseHost() {
      const refused = isIP(hostname) === 0 ? undefined : problem(hostname);
      if (refused) throw refused;
    },
    lookup(name, options, callback) {
      resolve(name, { ...options, all: true }, (error, addresses: LookupAddress[] = []) => {
        // Another name than the request's is a proxy's: the operator chose it.
        const judged = name === hostname ? addresses : [];
        const refused = error ?? judged.map(({ address }) => problem(address)).find((each) => each !== undefined);
        answer(callback, { name, addresses, refused, all: options.all === true });
      });
    },
  };
}

interface Resolved {
  readonly name: string;
  readonly addresses: LookupAddress[];
  readonly refused: Error | undefined;
  readonly all: boolean;
}

function answer(callback: Parameters<LookupFunction>[2], { name, addresses, refused, all }: Resolved): void {
  const [first] = addresses;
  if (refused || !first) callback(refused ?? new Error(`${name} has no address`), "");
  else if (all) callback(null, addresses);
  else callback(null, first.address, first.family);
}

/** Whether a host is this machine by its name or address: no proxy leads there. */
export function isThisMachine({ hostname }: URL): boolean {
  return reachOfName(bare(hostname)) === "loopback";
}

/** The nearest address that a request may go to. */
function farthest({ url, allowedHosts = [] }: RepositoryAccess, target: URL): Reach {
  const own = URL.parse(url);
  const allowed = allowedHosts.some((host) => [target.host, bare(target.hostname)].includes(host.toLowerCase()));
  if (allowed || sameHost(url, target.href)) return "loopback";
  const said = reachOfName(bare(own?.hostname ?? ""));
  // An index that still has http:// addresses of a server that has moved to https:// means that server.
  const moved = said === "public" && own?.hostname === target.hostname && target.port === "";
  return moved ? "private" : said;
}

function reachOfName(hostname: string): Reach {
  if (isIP(hostname) !== 0) return reachOf(hostname);
  if (/(^|\.)localhost$/.test(hostname)) return "loopback";
  return INSIDE.test(hostname) ? "private" : "public";
}

function reachOf(address: string): Reach {
  const family = isIP(address) === 4 ? "ipv4" : "ipv6";
  if (REFUSED.check(address, family)) return "refused";
  if (LOOPBACK.check(address, family)) return "loopback";
  return PRIVATE.check(address, family) ? "private" : "public";
}

function refusal(url: URL, { address, reach }: { address: string; reach: Reach }): Failure {
  const what = `fetch ${url.protocol}//${url.host}`;
  const where = address === bare(url.hostname) ? url.hostname : `${url.hostname} (${address})`;
  if (reach === "refused") {
    return new Failure("Invalid", `${what}: ${where} is a link-local or metadata address, where no repository may be`);
  }
  const hint = `add ${url.hostname} to spec.allowedHosts of the HelmRepo if that is meant`;
  return new Failure("Invalid", `${what}: ${where} is a ${reach} address, where this repository may not lead; ${hint}`);
}

/** The subnets, those of IPv4 also as IPv6 spells them: mapped and behind NAT64. */
function blockList(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of ipv4) {
    const [address = "", bits = ""] = subnet.split("/");
    list.addSubnet(address, Number(bits));
    list.addSubnet(`64:ff9b::${address}`, 96 + Number(bits), "ipv6");
  }
  for (const subnet of ipv6) {
    const [address = "", bits = ""] = subnet.split("/");
    list.addSubnet(address, Number(bits), "ipv6");
  }
  return list;
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "").toLowerCase();
}
