/** Where a chart package lies, or why no address can be made of what an index says. */
export type ResolvedUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: "InvalidUrl" | "UnsupportedScheme"; readonly message: string };

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const SCHEMES = ["http:", "https:", "oci:"];
const MAX_LENGTH = 4096;

/**
 * Resolves a chart URL from an index as Helm does: absolute ones stay, relative ones hang below the repository's URL
 * and keep its query. http, https and oci come out, and s3 of a repository that is a bucket itself; user names and
 * passwords inside a chart URL are refused.
 */
export function resolveChartUrl(repoUrl: string, chartUrl: string): ResolvedUrl {
  if (chartUrl === "" || chartUrl.length > MAX_LENGTH) {
    return invalid(`the chart's URL has ${chartUrl.length} characters, expected 1 to ${MAX_LENGTH}`);
  }
  const base = URL.parse(repoUrl);
  if (!base) return invalid(`the repository's URL "${shown(repoUrl)}" is no absolute URL`);
  const url = HAS_SCHEME.test(chartUrl) ? URL.parse(chartUrl) : below(base, chartUrl);
  if (!url) return invalid(`the chart's URL "${shown(chartUrl)}" cannot be read`);
  if (!SCHEMES.includes(url.protocol) && !(url.protocol === "s3:" && base.protocol === "s3:")) {
    const message = `the chart's URL "${shown(chartUrl)}" has the scheme ${url.protocol} where http, https or oci is needed`;
    return { ok: false, reason: "UnsupportedScheme", message };
  }
  if (url.username || url.password) {
    return invalid(`the chart's URL on ${url.host} carries credentials: put them into the repository's secret`);
  }
  return { ok: true, url: url.href };
}

/** Whether both URLs have the same scheme, host and port: only then may a repository's credentials go along. */
export function sameHost(repoUrl: string, otherUrl: string): boolean {
  const [repo, other] = [URL.parse(repoUrl), URL.parse(otherUrl)];
  return repo !== null && other !== null && repo.protocol === other.protocol && repo.host === other.host;
}

function below(base: URL, reference: string): URL | null {
  const folder = new URL(base);
  folder.username = "";
  folder.password = "";
  if (!folder.pathname.endsWith("/")) folder.pathname += "/";
  const url = URL.parse(reference, folder.href);
  if (url) url.search = base.search;
  return url;
}

function invalid(message: string): ResolvedUrl {
  return { ok: false, reason: "InvalidUrl", message };
}

/** A URL as a message may show it: short, and without what stands between `//` and `@`. */
function shown(url: string): string {
  return url.replace(/\/\/[^/]*@/, "//***@").slice(0, 200);
}
