import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { Failure } from "../errors.ts";

/** Addresses of cloud metadata services and of the link itself: no repository lives there, but credentials do. */
const REFUSED = new BlockList();
REFUSED.addSubnet("169.254.0.0", 16);
REFUSED.addAddress("100.100.100.200");
REFUSED.addSubnet("fe80::", 10, "ipv6");
REFUSED.addAddress("fd00:ec2::254", "ipv6");
REFUSED.addSubnet("64:ff9b::a9fe:0", 112, "ipv6");

/** Refuses a host that is such an address; names are judged by `guardedLookup` when they are resolved. */
export function refuseMetadataHost(what: string, hostname: string): void {
  const address = hostname.replace(/^\[|\]$/g, "");
  if (isRefused(address)) throw refusal(what, hostname);
}

/** Resolves names for a connection; fails where one of the addresses must not be reached. */
export function guardedLookup(what: string, resolve: typeof lookup = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const checked = error ? error : check(what, hostname, addresses);
      if (checked instanceof Error) return callback(checked, "");
      if (options.all) return callback(null, addresses);
      callback(null, checked.address, checked.family);
    });
  };
}

/** The address to use, or why none may be used. */
function check(what: string, hostname: string, addresses: readonly LookupAddress[]): LookupAddress | Error {
  if (addresses.some(({ address }) => isRefused(address))) return refusal(what, hostname);
  return addresses[0] ?? new Error(`${hostname} has no address`);
}

function isRefused(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && REFUSED.check(address, family === 4 ? "ipv4" : "ipv6");
}

function refusal(what: string, hostname: string): Failure {
  return new Failure("Invalid", `${what}: ${hostname} is a link-local or metadata address, where no repository may be`);
}
