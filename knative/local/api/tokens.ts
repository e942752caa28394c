import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { parseObject } from "./object.ts";
import { resourceKey, type Storage } from "./storage.ts";
import { serviceAccountUser, type User } from "./user.ts";

/** The audience that tokens are for unless a request names others; also the issuer. */
export const apiAudience = "https://kubernetes.default.svc.cluster.local";

const accountsResource = resourceKey("", "serviceaccounts");
const boundResources: Readonly<Record<string, string>> = { Pod: "pods", Secret: "secrets" };

/** What a token says. */
export interface Claims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly jti: string;
  readonly "kubernetes.io": {
    readonly namespace: string;
    readonly serviceaccount: { readonly name: string; readonly uid: string };
    readonly bound?: { readonly kind: string; readonly name: string; readonly uid: string };
  };
}

/** What a new token shall be good for. */
export interface TokenWish {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly bound?: { readonly kind: string; readonly name: string; readonly uid: string };
}

/** Makes a signed token (a JSON Web Token, HS256) for a ServiceAccount. */
export function issueToken(key: Buffer, wish: TokenWish): { readonly token: string; readonly expires: Date } {
  const now = Math.floor(Date.now() / 1000);
  const claims: Claims = {
    iss: apiAudience,
    sub: `system:serviceaccount:${wish.namespace}:${wish.name}`,
    aud: wish.audiences,
    iat: now,
    exp: now + wish.seconds,
    jti: randomUUID(),
    "kubernetes.io": {
      namespace: wish.namespace,
      serviceaccount: { name: wish.name, uid: wish.uid },
      ...(wish.bound === undefined ? {} : { bound: wish.bound }),
    },
  };
  const content = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return { token: `${content}.${sign(key, content)}`, expires: new Date(claims.exp * 1000) };
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

function sign(key: Buffer, content: string): string {
  return createHmac("sha256", key).update(content).digest("base64url");
}

/** Reads a token; undefined when it is not ours, expired, or for something that is gone. */
export function readToken(
  storage: Storage,
  key: Buffer,
  token: string,
): { user: User; audiences: readonly string[] } | undefined {
  const claims = verified(key, token);
  if (claims === undefined || claims.exp * 1000 < Date.now()) return undefined;
  const { namespace, serviceaccount, bound } = claims["kubernetes.io"];
  if (uidOf(storage, accountsResource, { namespace, name: serviceaccount.name }) !== serviceaccount.uid)
    return undefined;
  if (bound !== undefined) {
    const resource = resourceKey("", boundResources[bound.kind] ?? "pods");
    if (uidOf(storage, resource, { namespace, name: bound.name }) !== bound.uid) return undefined;
  }
  return { user: serviceAccountUser(namespace, serviceaccount.name, serviceaccount.uid), audiences: claims.aud };
}

function verified(key: Buffer, token: string): Claims | undefined {
  const [head, body, signature, more] = token.split(".");
  if (head === undefined || body === undefined || signature === undefined || more !== undefined) return undefined;
  const wanted = Buffer.from(sign(key, `${head}.${body}`));
  const given = Buffer.from(signature);
  if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return undefined;
  return JSON.parse(Buffer.from(body, "base64url").toString()) as Claims;
}

function uidOf(storage: Storage, resource: string, place: { namespace: string; name: string }): string | undefined {
  const entry = storage.get({ resource, ...place });
  return entry === undefined ? undefined : parseObject(entry.text).metadata.uid;
}
