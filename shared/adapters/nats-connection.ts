import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  ErrorCode,
  type NatsConnection,
  type NatsError,
} from "nats";
import { Failure, messageOf } from "../errors.ts";
import type { Log } from "../ports.ts";

/** Where NATS is and how we identify ourselves; files are read at connect. */
export interface NatsAccess {
  /** One or more `nats://` or `tls://` addresses separated by commas. */
  readonly url: string;
  /** Shown in the server's list of connections. */
  readonly name: string;
  /** File with an operator-mode JWT and its seed. */
  readonly credsFile?: string;
  readonly token?: string;
  readonly user?: string;
  readonly password?: string;
  /** Sends us nothing that we have published ourselves on this connection. */
  readonly noEcho?: boolean;
  readonly tls?: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string };
}

/** What goes with connecting: a log that hears of outages and a signal that gives up. */
export interface ConnectContext {
  readonly log: Log;
  readonly signal?: AbortSignal;
}

const RETRY_MS = 500;
const RETRY_MAX_MS = 5_000;
const CONNECT_MS = 5_000;
const CLOSE_MS = 5_000;

/** The oldest nats-server whose features are relied on. */
export const SERVER_FLOOR = "2.9.10";

/**
 * Connects, waiting for the server as long as it takes, and stays connected through outages of any length.
 * Fails with `Forbidden` where the server turns our credentials down and with `Invalid` for one that is too old.
 */
export async function connectNats(access: NatsAccess, { log, signal }: ConnectContext): Promise<NatsConnection> {
  const options = await connectionOptions(access);
  for (let wait = RETRY_MS; ; wait = Math.min(wait * 2, RETRY_MAX_MS)) {
    signal?.throwIfAborted();
    try {
      const connection = await connect(options);
      await checkVersion(connection);
      void reportStatus(connection, log);
      return connection;
    } catch (error) {
      throwIfHopeless(error, access);
      log.warn(
        { url: access.url, reason: messageOf(error), retryMs: wait },
        "NATS cannot be reached yet, trying again",
      );
      await delay(jitter(wait), undefined, signal ? { signal } : {});
    }
  }
}

/** Sends what is buffered and closes; a server that is away is not waited for longer than 5 s. */
export async function closeNats(connection: NatsConnection): Promise<void> {
  if (connection.isClosed()) return;
  const enough = new AbortController();
  const patience = delay(CLOSE_MS, undefined, { signal: enough.signal }).catch(() => undefined);
  await Promise.race([connection.drain().catch(() => undefined), patience]);
  enough.abort();
  await connection.close();
}

/** Whether the connected server has what came with `version` (`major.minor.patch`); older ones ignore much in silence. */
export function serverHas({ info }: NatsConnection, version: string): boolean {
  const numbers = (text: string) => text.split(/[.-]/).map(Number);
  const have = numbers(info?.version ?? "0.0.0");
  const difference = numbers(version)
    .map((number, index) => (have[index] ?? 0) - number)
    .find((each) => each !== 0);
  return (difference ?? 0) >= 0;
}

async function connectionOptions(access: NatsAccess): Promise<ConnectionOptions> {
  const { url, name, credsFile, token, user, password, noEcho = false, tls } = access;
  return {
    servers: url.split(",").map((server) => server.trim()),
    name,
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    // Credentials may be rotated on the server first: keep trying.
    ignoreAuthErrorAbort: true,
    pingInterval: 20_000,
    noAsyncTraces: true,
    noEcho,
    ...(credsFile === undefined ? {} : { authenticator: credsAuthenticator(await readCredentials(credsFile)) }),
    ...(token === undefined ? {} : { token }),
    ...(user === undefined ? {} : { user, pass: password ?? "" }),
    ...(tls === undefined ? {} : { tls: { ...tls } }),
  };
}

async function readCredentials(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new Failure("Invalid", `NATS credentials ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

const AUTH_CODES: ReadonlySet<string> = new Set([
  ErrorCode.AuthorizationViolation,
  ErrorCode.BadAuthentication,
  ErrorCode.BadCreds,
  ErrorCode.AuthenticationExpired,
  ErrorCode.AccountExpired,
]);

function throwIfHopeless(error: unknown, { url }: NatsAccess): void {
  if (error instanceof Failure) throw error;
  const { code } = error as NatsError;
  if (code !== undefined && AUTH_CODES.has(code)) {
    const advice = "check the credentials file, token or user that it is given";
    throw new Failure("Forbidden", `NATS at ${url} turns us down (${messageOf(error)}); ${advice}`, { cause: error });
  }
}

async function checkVersion(connection: NatsConnection): Promise<void> {
  if (serverHas(connection, SERVER_FLOOR)) return;
  await connection.close();
  throw new Failure("Invalid", `nats-server is ${connection.info?.version}; at least ${SERVER_FLOOR} is needed`);
}

async function reportStatus(connection: NatsConnection, log: Log): Promise<void> {
  for await (const { type, data } of connection.status()) {
    if (type === "disconnect") log.warn({ server: String(data) }, "NATS connection lost, reconnecting");
    else if (type === "reconnect") log.info({ server: String(data) }, "NATS connection is back");
    else if (type === "error") log.warn({ reason: String(data) }, "NATS reports an error");
  }
}

function jitter(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}
