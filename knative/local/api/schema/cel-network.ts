import { BlockList, isIP, isIPv4 } from "node:net";
import type { Environment } from "@marcbachmann/cel-js";

/** A parsed URL as CEL rules hold it. */
class CelUrl {
  readonly url: URL;
  readonly text: string;
  constructor(url: URL, text: string) {
    this.url = url;
    this.text = text;
  }
}

/** An IP address as CEL rules hold it. */
class CelIp {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** URLs are absolute, or paths that begin with a slash. */
function parseUrl(text: string): CelUrl | undefined {
  const absolute = text.startsWith("/") ? `none://none${text}` : text;
  const shaped = text.startsWith("/") || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(text);
  return shaped && !/\s/.test(text) && URL.canParse(absolute) ? new CelUrl(new URL(absolute), text) : undefined;
}

function url(text: string): CelUrl {
  const parsed = parseUrl(text);
  if (parsed === undefined)
    throw new Error(
      `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
    );
  return parsed;
}

function relative({ text }: CelUrl): boolean {
  return text.startsWith("/");
}

function queryOf({ url: { searchParams } }: CelUrl): Map<string, readonly string[]> {
  return new Map([...new Set(searchParams.keys())].map((key) => [key, searchParams.getAll(key)]));
}

/** url() and what rules ask of URLs. */
export function addUrls(environment: Environment): void {
  environment
    .registerType("kubernetes.URL", CelUrl)
    .registerFunction("url(string): kubernetes.URL", url)
    .registerFunction("isURL(string): bool", (text: string) => parseUrl(text) !== undefined)
    .registerFunction("kubernetes.URL.getScheme(): string", (one: CelUrl) =>
      relative(one) ? "" : one.url.protocol.slice(0, -1),
    )
    .registerFunction("kubernetes.URL.getHost(): string", (one: CelUrl) => (relative(one) ? "" : one.url.host))
    .registerFunction("kubernetes.URL.getHostname(): string", (one: CelUrl) =>
      relative(one) ? "" : one.url.hostname.replaceAll(/[[\]]/g, ""),
    )
    .registerFunction("kubernetes.URL.getPort(): string", (one: CelUrl) => one.url.port)
    .registerFunction("kubernetes.URL.getEscapedPath(): string", (one: CelUrl) =>
      /^[^:]+:\/\/[^/?#]+$/.test(one.text) ? "" : one.url.pathname,
    )
    .registerFunction("kubernetes.URL.getQuery(): map", queryOf);
}

function ip(text: string): CelIp {
  if (isIP(text) === 0) throw new Error(`IP Address ${JSON.stringify(text)} parse error during conversion from string`);
  return new CelIp(text);
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

function parseCidr(text: string): CelCidr | undefined {
  const [address = "", bits = "", ...rest] = text.split("/");
  const fits = /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128);
  return rest.length === 0 && fits && isIP(address) !== 0 ? new CelCidr(address, Number(bits)) : undefined;
}

function cidr(text: string): CelCidr {
  const parsed = parseCidr(text);
  if (parsed === undefined)
    throw new Error(`network address parse error during conversion from string: ${JSON.stringify(text)}`);
  return parsed;
}

function contains({ address, bits }: CelCidr, text: string): boolean {
  const family = isIPv4(address) ? "ipv4" : "ipv6";
  if (isIP(text) === 0 || (isIPv4(text) ? "ipv4" : "ipv6") !== family) return false;
  const range = new BlockList();
  range.addSubnet(address, bits, family);
  return range.check(text, family);
}

function addCidrs(environment: Environment): void {
  environment
    .registerType("net.CIDR", CelCidr)
    .registerFunction("cidr(string): net.CIDR", cidr)
    .registerFunction("isCIDR(string): bool", (text: string) => parseCidr(text) !== undefined)
    .registerFunction("net.CIDR.containsIP(string): bool", contains)
    .registerFunction("net.CIDR.containsIP(net.IP): bool", (range: CelCidr, { text }: CelIp) => contains(range, text))
    .registerFunction("net.CIDR.prefixLength(): int", ({ bits }: CelCidr) => BigInt(bits))
    .registerFunction("net.CIDR.ip(): net.IP", ({ address }: CelCidr) => new CelIp(address));
}

/** ip(), isIP() and isCIDR(), and what rules ask of addresses. */
export function addAddresses(environment: Environment): void {
  addCidrs(
    environment
      .registerType("net.IP", CelIp)
      .registerOperator("net.IP == net.IP", (left: CelIp, right: CelIp) => left.text === right.text),
  );
  environment
    .registerFunction("ip(string): net.IP", ip)
    .registerFunction("isIP(string): bool", (text: string) => isIP(text) !== 0)
    .registerFunction("net.IP.family(): int", ({ text }: CelIp) => BigInt(isIP(text)))
    .registerFunction("net.IP.isLoopback(): bool", ({ text }: CelIp) => text.startsWith("127.") || text === "::1")
    .registerFunction("net.IP.isUnspecified(): bool", ({ text }: CelIp) => text === "0.0.0.0" || text === "::");
}
