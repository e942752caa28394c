import { createHash } from "node:crypto";
import { excerpt } from "../charts/excerpt.ts";
import { parseChallenge, type RegistryChallenge, realmProblem } from "../charts/oci-challenge.ts";
import { parseJsonMapping } from "../charts/records.ts";
import { Failure } from "../errors.ts";
import type { RepositoryAccess } from "../ports.ts";
import { deadline, USER_AGENT } from "./charts-http.ts";
import { type FetchHead, nameOf } from "./charts-http-fetch.ts";
import { readBody } from "./http-body.ts";

/** How registries want to be signed in to and the tokens they issued; one for a process. */
export interface SignInMemory {
  readonly challenges: Map<string, RegistryChallenge>;
  readonly tokens: Map<string, Promise<Token>>;
}

/** Signs requests to one registry. */
export interface SignIn {
  /** The `Authorization` of a request for this scope, as far as the registry is known to want one. */
  authorization(scope: string): Promise<string | undefined>;
  /** Learns from a 401 how to sign in; false where it has been tried already or there is no way. */
  challenged(header: string | undefined, scope: string): boolean;
}

interface Token {
  readonly value: string;
  readonly expires: number;
}

type BearerChallenge = Extract<RegistryChallenge, { scheme: "bearer" }>;

interface Issue {
  readonly challenge: BearerChallenge;
  readonly scope: string;
}

/** Who signs in where, and how requests are made. */
export interface SignInOptions {
  readonly fetchHead: FetchHead;
  readonly access: RepositoryAccess;
  readonly registry: URL;
  readonly memory: SignInMemory;
}

const MAX_REMEMBERED = 2000;
const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_TOKEN = 32 * 1024;
const TOTAL_MS = 20_000;
const IDLE_MS = 10_000;
/** What a token that does not say is good for, by the token specification of Docker. */
const DEFAULT_SECONDS = 60;

/** Nothing remembered yet. */
export function createSignInMemory(): SignInMemory {
  return { challenges: new Map(), tokens: new Map() };
}

/** Signs in as the registry asks: not at all, with user name and password, or with tokens that it has issued elsewhere. */
export function createSignIn(options: SignInOptions): SignIn {
  const { access, registry, memory } = options;
  const basic = basicOf(access);
  return {
    async authorization(scope) {
      if (access.token !== undefined) return `Bearer ${access.token}`;
      const challenge = memory.challenges.get(registry.host);
      if (challenge?.scheme !== "bearer") return challenge && basic;
      return `Bearer ${await tokenFor(options, { challenge, scope: scopeOf(challenge, scope) })}`;
    },
    challenged(header, scope) {
      const challenge = parseChallenge(header);
      if (access.token !== undefined || !challenge) return false;
      if (challenge.scheme === "basic" && basic === undefined) return false;
      remember(memory.challenges, registry.host, generalised(challenge, scope));
      if (challenge.scheme === "bearer") memory.tokens.delete(tokenKey(options, { challenge, scope }));
      return true;
    },
  };
}

/** A scope that names the repository is made anew for each; any other one, as public ECR has, is used as it is. */
function generalised(challenge: RegistryChallenge, scope: string): RegistryChallenge {
  if (challenge.scheme === "basic" || challenge.scope !== scope) return challenge;
  const { scope: _, ...general } = challenge;
  return general;
}

function scopeOf(challenge: BearerChallenge, scope: string): string {
  return challenge.scope ?? scope;
}

async function tokenFor(options: SignInOptions, issue: Issue): Promise<string> {
  const { tokens } = options.memory;
  const key = tokenKey(options, issue);
  const kept = await tokens.get(key);
  if (kept && kept.expires > Date.now()) return kept.value;
  const issued = fetchToken(options, issue);
  remember(tokens, key, issued);
  issued.catch(() => tokens.delete(key));
  return (await issued).value;
}

function tokenKey({ access, registry }: SignInOptions, { challenge, scope }: Issue): string {
  const { realm, service = "" } = challenge;
  const parts = [registry.host, realm.href, service, scopeOf(challenge, scope), basicOf(access) ?? ""];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

async function fetchToken({ fetchHead, access, registry }: SignInOptions, issue: Issue): Promise<Token> {
  const { challenge, scope } = issue;
  const url = new URL(challenge.realm);
  const what = `${nameOf(url)} (tokens of registry ${registry.host})`;
  const problem = realmProblem(registry, url);
  if (problem) throw new Failure("Invalid", `${what}: the address ${problem}, so no credentials are sent there`);
  url.searchParams.set("scope", scope);
  if (challenge.service) url.searchParams.set("service", challenge.service);
  const response = await fetchHead(issuerAccess(access, registry, url), {
    url,
    headers: { "user-agent": USER_AGENT, accept: "application/json", "accept-encoding": "identity" },
    ...authorizationFor(access, url),
    judged: [400, 401, 403, 404],
    signal: deadline(TOTAL_MS),
    idleMs: IDLE_MS,
  });
  const body = await readBody(response, { what, maxBytes: MAX_ANSWER_BYTES, decompress: false });
  if (response.statusCode !== 200) {
    const who = basicOf(access) ? "check the repository's credentials" : "give the repository a secretRef";
    throw new Failure("Invalid", `${what}: HTTP ${response.statusCode}, no token for ${excerpt(scope)}; ${who}`);
  }
  return readToken(body, what);
}

/** The registry stays the one that leads there; what it is trusted with beyond the public authorities is its own CA. */
function issuerAccess(access: RepositoryAccess, registry: URL, issuer: URL): RepositoryAccess {
  const own = issuer.host === registry.host;
  const { username: _, password: __, token: ___, insecureSkipTLSVerify = false, ...rest } = access;
  return { ...rest, url: registry.href, ...(own ? { insecureSkipTLSVerify } : {}) };
}

function authorizationFor(access: RepositoryAccess, to: URL) {
  const value = basicOf(access);
  return value === undefined ? {} : { authorization: value, authorizedAt: to };
}

function readToken(body: Buffer, what: string): Token {
  const answer = parseJsonMapping(body) ?? {};
  const value = answer["token"] ?? answer["access_token"];
  if (typeof value !== "string" || !/^[\x21-\x7e]+$/.test(value) || value.length > MAX_TOKEN) {
    throw new Failure("Invalid", `${what}: the answer holds no token; ask the registry's owner`);
  }
  const seconds = typeof answer["expires_in"] === "number" ? answer["expires_in"] : DEFAULT_SECONDS;
  return { value, expires: Date.now() + Math.min(Math.max(seconds, 0), 3600) * 800 };
}

function basicOf({ username, password }: RepositoryAccess): string | undefined {
  if (!username || !password) return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

function remember<V>(memory: Map<string, V>, key: string, value: V): void {
  memory.delete(key);
  memory.set(key, value);
  const [oldest] = memory.keys();
  if (memory.size > MAX_REMEMBERED && oldest !== undefined) memory.delete(oldest);
}
