import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import aws4 from "aws4";
import { AwsClient } from "aws4fetch";
import { freePort } from "../../../knative/local/functions/free-port.ts";
import { sha256 } from "../../../shared/digest.ts";
import { until } from "../../support/until.ts";

/** Keys and region of the object stores for tests. */
export const S3_ACCESS = { accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI", region: "eu-test-1" };

/** Host below which the buckets of these stores have names of their own. */
export const S3_DOMAIN = "s3.eu-test-1.example";

/** An object store on this machine. */
export interface S3Server extends AsyncDisposable {
  readonly port: number;
  /** Stores an object as `bucket/key`. */
  put(path: string, bytes: Uint8Array): Promise<void>;
}

/**
 * Path of a versitygw binary, an object store over a folder, to run the suite on as well:
 * `go install github.com/versity/versitygw/cmd/versitygw@v1.8.0` makes one.
 */
const GATEWAY = process.env["VERSITYGW"];
if (!GATEWAY) console.log("VERSITYGW names no versitygw binary: the S3 suite runs on the protocol server alone");

/** The object stores that the suite runs on, by name. */
export const S3_SERVERS: readonly (readonly [string, () => Promise<S3Server>])[] = [
  ["a server that checks signatures with aws4", startProtocolServer],
  ...(GATEWAY ? [["versitygw", () => startGateway(GATEWAY)] as const] : []),
];

/** Speaks the part of S3 that repositories need; signatures are checked by another library than the one that signs. */
async function startProtocolServer(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const path = pathOf(request);
    const code = signatureProblem(request, path);
    if (code) return refuse(response, 403, code);
    if (request.method === "PUT") objects.set(path, Buffer.concat(await Array.fromAsync(request)));
    answer(request, response, objects.get(path));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    put: (path, bytes) => put(port, path, bytes),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer({ method, headers }: IncomingMessage, response: ServerResponse, bytes: Buffer | undefined): void {
  const etag = `"${sha256(bytes ?? new Uint8Array())}"`;
  response.setHeader("etag", etag);
  if (!bytes) refuse(response, 404, "NoSuchKey");
  else if (headers["if-none-match"] === etag) response.writeHead(304).end();
  else response.end(method === "PUT" ? "" : bytes);
}

/** `/bucket/key`, with the bucket from the host where it stands there. */
function pathOf({ url = "/", headers: { host = "" } }: IncomingMessage): string {
  const path = decodeURIComponent(url);
  return host.endsWith(`.${S3_DOMAIN}`) ? `/${host.slice(0, -S3_DOMAIN.length - 1)}${path}` : path;
}

/** What S3 says of a request that may not be; objects below `public` are for everybody. */
function signatureProblem({ method = "", url = "/", headers }: IncomingMessage, path: string): string | undefined {
  const { authorization, host = "" } = headers;
  if (authorization === undefined) return path.startsWith("/charts/public/") ? undefined : "AccessDenied";
  if (!authorization.includes(`Credential=${S3_ACCESS.accessKeyID}/`)) return "InvalidAccessKeyId";
  if (!authorization.includes(`/${S3_ACCESS.region}/s3/`)) return "AuthorizationHeaderMalformed";
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(";") ?? [];
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  const { secretAccessKey, accessKeyID: accessKeyId, region } = S3_ACCESS;
  const request = { method, path: url, host, headers: signed, service: "s3", region };
  const expected = aws4.sign(request, { accessKeyId, secretAccessKey }).headers?.["Authorization"];
  return expected === authorization ? undefined : "SignatureDoesNotMatch";
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
}

/** A real object store over a folder; `public` in its bucket is opened by a policy. */
async function startGateway(binary: string): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), "openpitrix-s3-"));
  const port = await freePort();
  const { accessKeyID, secretAccessKey, region } = S3_ACCESS;
  const options = [
    "--port",
    `127.0.0.1:${port}`,
    "--access",
    accessKeyID,
    "--secret",
    secretAccessKey,
    "--region",
    region,
  ];
  const [objects, marks, users] = await Promise.all(["o", "m", "u"].map((name) => mkdtemp(join(folder, name))));
  const backend = ["posix", "--sidecar", marks ?? "", objects ?? ""];
  const gateway = spawn(
    binary,
    [...options, "--virtual-domain", S3_DOMAIN, "--iam-dir", users ?? "", "--quiet", ...backend],
    {
      stdio: "ignore",
    },
  );
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  await until("the gateway answers", ready);
  await put(port, "/charts", new Uint8Array());
  const policy = { Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: "arn:aws:s3:::charts/public/*" };
  await put(port, "/charts?policy", Buffer.from(JSON.stringify({ Version: "2012-10-17", Statement: [policy] })));
  return {
    port,
    put: (path, bytes) => put(port, path, bytes),
    async [Symbol.asyncDispose]() {
      gateway.kill();
      await once(gateway, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function put(port: number, path: string, bytes: Uint8Array): Promise<void> {
  const { accessKeyID: accessKeyId, secretAccessKey, region } = S3_ACCESS;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: 0 });
  const url = `http://127.0.0.1:${port}${path.replaceAll("+", "%2B")}`;
  const answer = await client.fetch(url, { method: "PUT", body: Buffer.from(bytes) });
  if (!answer.ok) throw new Error(`PUT ${path}: ${answer.status} ${await answer.text()}`);
}
