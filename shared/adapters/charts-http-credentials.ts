import type { RequestOptions } from "node:https";
import { rootCertificates } from "node:tls";
import { userInfoOf } from "../charts/user-info.ts";
import type { RepositoryAccess } from "../ports.ts";

/** Headers that sign in to the repository itself: the bearer token, else user name and password if both are there. */
export function signIn(access: RepositoryAccess): Record<string, string> {
  if (access.token !== undefined) return { authorization: `Bearer ${access.token}` };
  const given = access.username !== undefined || access.password !== undefined;
  const { username, password } = given ? access : (userInfoOf(access.url) ?? {});
  if (!username || !password) return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}

/** How to do TLS; the client certificate is for the repository's own host. */
export function tlsOptions(access: RepositoryAccess, own: boolean): RequestOptions {
  const { ca, cert, key, insecureSkipTLSVerify } = access;
  return {
    rejectUnauthorized: insecureSkipTLSVerify !== true,
    // A repository's own CA replaces the public ones for its host and joins them for hosts it redirects to.
    ...(ca === undefined ? {} : { ca: own ? [ca] : [...rootCertificates, ca] }),
    ...(own && cert !== undefined && key !== undefined ? { cert, key } : {}),
  };
}
