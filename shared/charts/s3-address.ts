/** What a repository says about its bucket beside the URL. */
interface S3Settings {
  /** `http(s)://` address of the object store; with it the URL reads `s3://bucket/path`. */
  readonly endpoint?: string;
  readonly region?: string;
  /** Whether the bucket's name stands in the path (default) or in front of the host. */
  readonly addressing?: "path" | "virtual-host";
}

/** How to read a bucket; without keys as anybody may. */
export interface S3Access extends S3Settings {
  readonly accessKeyID?: string;
  readonly secretAccessKey?: string;
  readonly sessionToken?: string;
}

/** A folder of a bucket as HTTP sees it. */
export interface S3Address {
  /** `http(s)://` address of the folder. */
  readonly url: string;
  readonly bucket: string;
  readonly region: string;
}

const DEFAULT_REGION = "us-east-1";

/** `<bucket>.s3.<region>.amazonaws.com`: the bucket in front of the host, as AWS writes it. */
const AWS_VIRTUAL_HOST = /^(?<bucket>[a-z0-9][a-z0-9.-]+)\.s3[.-](?<region>[a-z0-9-]+)\.amazonaws\.com$/;

/**
 * Reads the URL of a bucket, `undefined` where it names none. Without an endpoint it is read as KubeSphere does:
 * `s3://host/bucket/path`, a host that begins with `s3.` over https and with its second label as region, any other over
 * http in us-east-1.
 */
export function s3Address(text: string, settings: S3Settings = {}): S3Address | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "s3:" || url.host === "") return undefined;
  const { region = DEFAULT_REGION, addressing = "path" } = settings;
  if (settings.endpoint !== undefined) {
    const endpoint = URL.parse(settings.endpoint);
    return endpoint ? located({ endpoint, bucket: url.host, path: url.pathname, region, addressing }) : undefined;
  }
  const aws = AWS_VIRTUAL_HOST.exec(url.host)?.groups;
  if (aws?.bucket !== undefined) {
    return {
      url: `https://${url.host}${keyPath(url.pathname)}`,
      bucket: aws.bucket,
      region: settings.region ?? aws.region ?? region,
    };
  }
  const [, bucket = "", ...rest] = url.pathname.split("/");
  const endpoint = new URL(`${url.hostname.startsWith("s3.") ? "https" : "http"}://${url.host}`);
  const at = settings.region ?? regionOf(url.hostname);
  return located({ endpoint, bucket, path: `/${rest.join("/")}`, region: at, addressing });
}

/** The http(s) address of a package that an index names as `s3://bucket/key` or as the repository's own URL is written. */
export function s3PackageUrl(repository: string, text: string, settings: S3Settings = {}): string | undefined {
  const [own, url] = [s3Address(repository, settings), URL.parse(text)];
  if (!own || url?.protocol !== "s3:") return undefined;
  if (url.host === URL.parse(repository)?.host && settings.endpoint === undefined)
    return s3Address(text, settings)?.url;
  // Never another object store than the repository's: what else such a URL says is the bucket.
  const endpoint = settings.endpoint ?? endpointOf(own);
  return s3Address(text, { ...settings, endpoint })?.url;
}

/** The path of an object; S3 takes a plus sign for a space unless it is encoded. */
export function keyPath(path: string): string {
  return path.replaceAll("+", "%2B");
}

interface Location {
  readonly endpoint: URL;
  readonly bucket: string;
  readonly path: string;
  readonly region: string;
  readonly addressing: "path" | "virtual-host";
}

function located({ endpoint, bucket, path, region, addressing }: Location): S3Address | undefined {
  if (bucket === "" || !/^https?:$/.test(endpoint.protocol)) return undefined;
  const base = endpoint.pathname.replace(/\/+$/, "");
  const host = addressing === "path" ? endpoint.host : `${bucket}.${endpoint.host}`;
  const folder = addressing === "path" ? `${base}/${bucket}` : base;
  return { url: `${endpoint.protocol}//${host}${folder}${keyPath(path)}`, bucket, region };
}

function endpointOf({ url, bucket }: S3Address): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host.startsWith(`${bucket}.`) ? host.slice(bucket.length + 1) : host}`;
}

function regionOf(hostname: string): string {
  const [first, second = ""] = hostname.split(".");
  return first === "s3" && second !== "" && second !== "amazonaws" ? second : DEFAULT_REGION;
}
