import type { IncomingMessage } from "node:http";
import { AwsV4Signer } from "aws4fetch";
import { sameHost } from "../charts/resolve-url.ts";
import { keyPath, type S3Address, s3Address, s3PackageUrl } from "../charts/s3-address.ts";
import { Failure } from "../errors.ts";
import type { RepositoryAccess } from "../ports.ts";
import { type ChartSource, type FetchLimits, fetchHttpIndex, fetchHttpPackage } from "./charts-http.ts";
import { type Fetch, type FetchHead, nameOf } from "./charts-http-fetch.ts";
import { readBody } from "./http-body.ts";

/** The checksum that a request without a body is signed with. */
const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Statuses whose body says in one word what is wrong. */
const EXPLAINED = [400, 403, 404];
const MAX_EXPLANATION = 16 * 1024;

const HINTS: Readonly<Record<string, string>> = {
  AccessDenied: "give the repository's Secret keys that may read this object",
  InvalidAccessKeyId: "correct accessKeyID in the repository's Secret",
  SignatureDoesNotMatch: "correct secretAccessKey in the repository's Secret",
  RequestTimeTooSkewed: "set this machine's clock",
  AuthorizationHeaderMalformed: "set spec.s3.region to the bucket's region",
  NoSuchBucket: "check the bucket in the repository's URL",
  NoSuchKey: "check the path in the repository's URL",
};

/** Repositories in buckets of S3 or of what speaks as it does, signed with Signature Version 4 where there are keys. */
export function s3Source(fetchHead: FetchHead, limits: FetchLimits): ChartSource {
  const explaining: FetchHead = async (access, fetch) => {
    const response = await fetchHead(access, { ...fetch, judged: EXPLAINED });
    if (!EXPLAINED.includes(response.statusCode ?? 0)) return response;
    throw await explained(response, fetch.url);
  };
  return {
    async fetchIndex(access, known = {}) {
      const address = addressOf(access);
      return fetchHttpIndex(explaining, {
        access: overHttp(access, address),
        known,
        limits,
        ...signing(access, address),
      });
    },
    async fetchPackage(access, text) {
      const address = addressOf(access);
      const url = s3PackageUrl(access.url, text, access.s3) ?? signable(text, address);
      return fetchHttpPackage(explaining, {
        access: overHttp(access, address),
        url,
        limits,
        ...signing(access, address),
      });
    },
  };
}

function addressOf({ url, s3 }: RepositoryAccess): S3Address {
  const address = s3Address(url, s3);
  if (address) return address;
  throw new Failure(
    "Invalid",
    "the repository's URL names no bucket; write s3://host/bucket/path, or s3://bucket/path and spec.s3.endpoint",
  );
}

/** The bucket as a web server: what a bucket is signed in with is no user name and no token. */
function overHttp(access: RepositoryAccess, { url }: S3Address): RepositoryAccess {
  const { username: _, password: __, token: ___, ...rest } = access;
  return { ...rest, url };
}

function signing({ s3 = {} }: RepositoryAccess, { region }: S3Address): Pick<Fetch, "sign"> {
  const { accessKeyID: accessKeyId, secretAccessKey, sessionToken } = s3;
  if (accessKeyId === undefined && secretAccessKey === undefined) return { sign: async () => ({}) };
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new Failure(
      "Invalid",
      "a bucket needs both accessKeyID and secretAccessKey, or neither; complete its Secret",
    );
  }
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
  const headers = { "x-amz-content-sha256": EMPTY_SHA256 };
  return {
    sign: async (url) => {
      const signer = new AwsV4Signer({ ...keys, headers, url: url.href, service: "s3", region });
      return Object.fromEntries((await signer.sign()).headers);
    },
  };
}

function signable(text: string, { url }: S3Address): string {
  const target = URL.parse(text);
  if (!target || !sameHost(url, text)) return text;
  target.pathname = keyPath(target.pathname);
  return target.href;
}

async function explained(response: IncomingMessage, url: URL): Promise<Failure> {
  const { statusCode, headers } = response;
  const options = { what: nameOf(url), maxBytes: MAX_EXPLANATION, decompress: false };
  const body = await readBody(response, options).then(String, () => "");
  const code = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(body)?.[1] ?? "";
  const region = headers["x-amz-bucket-region"];
  const elsewhere = region === undefined ? "" : `; the bucket is in region ${String(region).slice(0, 64)}`;
  const hint = HINTS[code] ?? "check the repository's URL and keys";
  return new Failure("Invalid", `${nameOf(url)}: HTTP ${statusCode} ${code}${elsewhere}; ${hint}`);
}
