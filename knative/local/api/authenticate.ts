import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { failure, unauthorized } from "./errors.ts";
import { allowedBy } from "./rbac.ts";
import type { Storage } from "./storage.ts";
import { apiAudience, readToken } from "./tokens.ts";
import { adminUser, authenticatedGroup, type User } from "./user.ts";

/** What tokens are checked against. */
export interface Credentials {
  readonly storage: Storage;
  readonly adminToken: string;
  readonly signingKey: Buffer;
}

/** Finds the user behind a bearer token; undefined when nobody is. */
export function userOfToken(
  credentials: Credentials,
  token: string,
): { user: User; audiences: readonly string[] } | undefined {
  if (sameText(token, credentials.adminToken)) return { user: adminUser, audiences: [apiAudience] };
  return readToken(credentials.storage, credentials.signingKey, token);
}

function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The user of a request, after impersonation; undefined without credentials. Throws 401 and 403. */
export function authenticate(credentials: Credentials, headers: IncomingHttpHeaders): User | undefined {
  const header = headers.authorization;
  if (header === undefined) return undefined;
  const [, token] = /^Bearer +(\S+)$/iu.exec(header) ?? [];
  const found = token === undefined ? undefined : userOfToken(credentials, token);
  if (found === undefined || !found.audiences.includes(apiAudience)) throw unauthorized();
  return impersonated(credentials.storage, found.user, headers);
}

function impersonated(storage: Storage, user: User, headers: IncomingHttpHeaders): User {
  const name = one(headers["impersonate-user"]);
  const groups = many(headers["impersonate-group"]);
  const uid = one(headers["impersonate-uid"]);
  if (name === undefined) {
    if (groups.length > 0 || uid !== undefined) throw badImpersonation();
    return user;
  }
  requireImpersonation(storage, user, {
    resource: accountParts(name) === undefined ? "users" : "serviceaccounts",
    name,
  });
  for (const group of groups) requireImpersonation(storage, user, { resource: "groups", name: group });
  const own = groups.length > 0 ? groups : accountGroups(name);
  return { name, groups: [...new Set([...own, authenticatedGroup])], ...(uid === undefined ? {} : { uid }) };
}

function requireImpersonation(storage: Storage, user: User, what: { resource: string; name: string }): void {
  const account = what.resource === "serviceaccounts" ? accountParts(what.name) : undefined;
  const place = account === undefined ? { name: what.name } : { name: account.name, namespace: account.namespace };
  if (allowedBy(storage, user, { verb: "impersonate", group: "", resource: what.resource, ...place }) !== undefined)
    return;
  const who = `User ${JSON.stringify(user.name)} cannot impersonate resource ${JSON.stringify(what.resource)} in API group "" at the cluster scope`;
  const message = `${what.resource} ${JSON.stringify(what.name)} is forbidden: ${who}`;
  throw failure({ code: 403, reason: "Forbidden", message, details: { name: what.name, kind: what.resource } });
}

function accountParts(name: string): { namespace: string; name: string } | undefined {
  const [, namespace, account] = /^system:serviceaccount:([^:]+):([^:]+)$/u.exec(name) ?? [];
  return namespace === undefined || account === undefined ? undefined : { namespace, name: account };
}

function accountGroups(name: string): readonly string[] {
  const account = accountParts(name);
  return account === undefined ? [] : ["system:serviceaccounts", `system:serviceaccounts:${account.namespace}`];
}

function badImpersonation(): Error {
  const message =
    "requested impersonation of groups or a uid without impersonating a user: send Impersonate-User as well";
  return failure({ code: 400, reason: "BadRequest", message });
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

// Node joins repeated headers that it does not know with a comma.
function many(header: string | string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  return (Array.isArray(header) ? header : header.split(",")).map((group) => group.trim());
}
