import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { generate } from "selfsigned";
import { createFetchHead, type FetchHead } from "../../../shared/adapters/charts-http-fetch.ts";

/** Who vouches for senders: an issuer of tokens and Amazon's SNS, as they answer on this machine. */
export interface Authorities extends AsyncDisposable {
  /** Address of the issuer's keys. */
  readonly keysUrl: string;
  /** Addresses that were asked for, as the store names them. */
  readonly asked: readonly string[];
  /** Fetches for real; the SNS endpoint is found on this machine. */
  readonly fetchHead: FetchHead;
  /** A token with these claims, signed by the issuer, or by somebody else. */
  token(claims: object, by?: "issuer" | "stranger"): string;
  /** Amazon's signature over this text. */
  signSns(text: string, version: "1" | "2"): string;
  /** Port of the server behind it all. */
  readonly port: number;
}

/** Endpoint of the topic that samples use. */
export const SNS_ENDPOINT = "https://sns.eu-west-1.amazonaws.com/";

/** Starts them. */
export async function startAuthorities(): Promise<Authorities> {
  const issuer = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const amazon = await generate([{ name: "commonName", value: "sns.amazonaws.com" }], {
    keySize: 2048,
    algorithm: "sha256",
  });
  const keys = { keys: [{ ...issuer.publicKey.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" }] };
  const server = createServer((request, response) => {
    response.end(request.url === "/keys" ? JSON.stringify(keys) : amazon.cert);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const asked: string[] = [];
  const fetchHead = createFetchHead();
  return {
    keysUrl: `${origin}/keys`,
    asked,
    port,
    async fetchHead(_, fetch) {
      asked.push(fetch.url.href);
      const url = new URL(fetch.url.href.replace(SNS_ENDPOINT, `${origin}/`));
      return fetchHead({ url: origin }, { ...fetch, url });
    },
    token: (claims, by = "issuer") => jwt(claims, by === "issuer" ? issuer.privateKey : stranger.privateKey),
    signSns: (text, version) =>
      createSign(version === "1" ? "RSA-SHA1" : "RSA-SHA256")
        .update(text)
        .sign(amazon.private, "base64"),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function jwt(claims: object, key: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "RS256", kid: "one", typ: "JWT" })}.${part(claims)}`;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(key, "base64url")}`;
}
