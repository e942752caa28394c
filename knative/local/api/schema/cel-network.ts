import { BlockList, isIP, isIPv4 } from "node:net";
import type { Environment } from "@marcbachmann/cel-js";

/** An IP address as CEL rules hold it. */
class CelIp {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A range of addresses as CEL rules hold it. */
class CelCidr {
  readonly address: string;
  readonly bits: number;
  constructor(address: string, bits: number) {
    this.address = address;
    this.bits = bits;
  }
}

type Family = "ipv4" | "ipv6";

function familyOf(text: string): Family {
  return isIPv4(text) ? "ipv4" : "ipv6";
}

function blocks(...ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

const mapped = blocks("::ffff:0:0/96");
const loopback = blocks("127.0.0.0/8", "::1/128");
const unspecified = blocks("0.0.0.0/32", "::/128");
const linkLocal = blocks("169.254.0.0/16", "fe80::/10");
const linkLocalMulticast = blocks("224.0.0.0/24", "ff02::/16");
const notGlobal = [loopback, unspecified, linkLocal, blocks("224.0.0.0/4", "ff00::/8", "255.255.255.255/32")];

function isIn(list: BlockList): (ip: CelIp) => boolean {
  return ({ text }) => list.check(text, familyOf(text));
}

// Zones and IPv4 addresses in the clothes of IPv6 are refused.
function isAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes("%")) return false;
  return isIPv4(text) || !mapped.check(text, "ipv6");
}

function ip(text: string): CelIp {
  if (!isAddress(text)) throw new Error(`IP Address ${JSON.stringify(text)} parse error during conversion from string`);
  return new CelIp(text);
}

/** An address in its shortest form, as Go writes it. */
function canonical(text: string): string {
  return isIPv4(text) ? text : new URL(`http://[${text}]/`).hostname.slice(1, -1);
}

function parseCidr(text: string): CelCidr | undefined {
  const [address = "", bits = "", ...rest] = text.split("/");
  const fits = /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128);
  return rest.length === 0 && fits && isAddress(address) ? new CelCidr(address, Number(bits)) : undefined;
}

function cidr(text: string): CelCidr {
  const parsed = parseCidr(text);
  if (parsed === undefined)
    throw new Error(`network address parse error during conversion from string: ${JSON.stringify(text)}`);
  return parsed;
}

function contains({ address, bits }: CelCidr, text: string): boolean {
  if (!isAddress(text) || familyOf(text) !== familyOf(address)) return false;
  return blocks(`${address}/${bits}`).check(text, familyOf(text));
}

function containsRange(range: CelCidr, inner: CelCidr): boolean {
  return range.bits <= inner.bits && contains(range, inner.address);
}

// The address with all bits after the prefix cleared.
function masked({ address, bits }: CelCidr): CelCidr {
  const size = isIPv4(address) ? 8 : 16;
  const parts = isIPv4(address) ? address.split(".").map(Number) : groupsOf(address);
  const kept = parts.map((part, index) => {
    const ones = Math.min(Math.max(bits - index * size, 0), size);
    return part & ~(2 ** (size - ones) - 1);
  });
  const text = isIPv4(address) ? kept.join(".") : kept.map((part) => part.toString(16)).join(":");
  return new CelCidr(canonical(text), bits);
}

function groupsOf(address: string): readonly number[] {
  const [head = "", tail] = canonical(address).split("::");
  const numbers = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((part) => Number.parseInt(part, 16));
  const [start, end] = [numbers(head), numbers(tail ?? "")];
  return [...start, ...new Array<number>(8 - start.length - end.length).fill(0), ...end];
}

function addCidrs(environment: Environment): void {
  environment
    .registerType("net.CIDR", CelCidr)
    .registerOperator("net.CIDR == net.CIDR", (left: CelCidr, right: CelCidr) => textOfCidr(left) === textOfCidr(right))
    .registerFunction("cidr(string): net.CIDR", cidr)
    .registerFunction("isCIDR(string): bool", (text: string) => parseCidr(text) !== undefined)
    .registerFunction("net.CIDR.containsIP(string): bool", contains)
    .registerFunction("net.CIDR.containsIP(net.IP): bool", (range: CelCidr, { text }: CelIp) => contains(range, text))
    .registerFunction("net.CIDR.containsCIDR(string): bool", (range: CelCidr, text: string) =>
      containsRange(range, cidr(text)),
    )
    .registerFunction("net.CIDR.containsCIDR(net.CIDR): bool", containsRange)
    .registerFunction("net.CIDR.prefixLength(): int", ({ bits }: CelCidr) => BigInt(bits))
    .registerFunction("net.CIDR.ip(): net.IP", ({ address }: CelCidr) => new CelIp(address))
    .registerFunction("net.CIDR.masked(): net.CIDR", masked)
    .registerFunction("string(net.CIDR): string", textOfCidr);
}

function textOfCidr({ address, bits }: CelCidr): string {
  return `${canonical(address)}/${bits}`;
}

/** What `ip` names in rules beside the function: a place for functions, not a value. */
class IpNamespace {}

/** ip(), isIP() and isCIDR(), and what rules ask of addresses. */
export function addAddresses(environment: Environment): void {
  environment
    .registerType("net.IP", CelIp)
    .registerType("ip", IpNamespace)
    .registerConstant("ip", "ip", new IpNamespace())
    .registerOperator(
      "net.IP == net.IP",
      (left: CelIp, right: CelIp) => canonical(left.text) === canonical(right.text),
    );
  addCidrs(environment);
  environment
    .registerFunction("ip(string): net.IP", ip)
    .registerFunction("isIP(string): bool", isAddress)
    .registerFunction(
      "ip.isCanonical(string): bool",
      (_: IpNamespace, text: string) => canonical(ip(text).text) === text,
    )
    .registerFunction("net.IP.family(): int", ({ text }: CelIp) => BigInt(isIP(text)))
    .registerFunction("net.IP.isLoopback(): bool", isIn(loopback))
    .registerFunction("net.IP.isUnspecified(): bool", isIn(unspecified))
    .registerFunction("net.IP.isLinkLocalUnicast(): bool", isIn(linkLocal))
    .registerFunction("net.IP.isLinkLocalMulticast(): bool", isIn(linkLocalMulticast))
    .registerFunction("net.IP.isGlobalUnicast(): bool", (one: CelIp) => !notGlobal.some((list) => isIn(list)(one)))
    .registerFunction("string(net.IP): string", ({ text }: CelIp) => canonical(text));
}
