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
