import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "../errors.ts";
import type { ListQuery, WatchEvent } from "../ports.ts";
import type { KubeObject, ResourceDefinition } from "../resource.ts";
import { Expired, failureOfStatus, type KubeStatus } from "./kubernetes-errors.ts";
import type { KubeTransport } from "./kubernetes-http.ts";
import { listAll, selectorOf } from "./kubernetes-list.ts";
import { collectionPath } from "./kubernetes-paths.ts";
import { type KnownObjects, knownObjects } from "./kubernetes-watch-known.ts";

/** What to watch, from where and until when. */
export interface WatchOptions extends ListQuery {
  /** Only what happens after this point; without it everything that exists is reported as ADDED first. */
  readonly resourceVersion?: string;
  readonly signal?: AbortSignal;
  /** Called whenever everything that exists has been reported. */
  readonly listed?: () => void;
  /** Silence (not even a bookmark) after which the connection is made anew; default 120 s. */
  readonly idleMs?: number;
}

/** The server ends a watch itself after this time, so that load spreads over its instances. */
const SERVER_SECONDS = 290;

const MAX_LINE = 16 * 1024 * 1024;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Reports every change of a kind until `signal` is aborted, across broken connections and restarts of the server.
 * Where the server has dropped the history, it lists again and reports the difference: an object that vanished
 * meanwhile comes as DELETED with no more than its name and uid. Ends with a failure when the server refuses or
 * sends something unreadable.
 */
export async function* watchKind(
  transport: KubeTransport,
  kind: ResourceDefinition,
  options: WatchOptions,
): AsyncGenerator<WatchEvent, void, undefined> {
  const signal = options.signal ?? new AbortController().signal;
  const watch: Watch = { transport, kind, options: { ...options, signal }, known: knownObjects() };
  const progress: Progress = { position: options.resourceVersion, idleRounds: 0 };
  while (!signal.aborted) {
    progress.idleRounds++;
    try {
      yield* round(watch, progress);
    } catch (error) {
      if (signal.aborted) return;
      recover(progress, error);
    }
    await pause(progress.idleRounds, signal);
  }
}

interface Watch {
  readonly transport: KubeTransport;
  readonly kind: ResourceDefinition;
  readonly options: WatchOptions & { readonly signal: AbortSignal };
  readonly known: KnownObjects;
}

interface Progress {
  /** resourceVersion to go on from; `undefined`: list first. */
  position: string | undefined;
  /** Connections in a row that brought nothing. */
  idleRounds: number;
}

/** Prepares the next round where one may help; any other error ends the watch. */
function recover(progress: Progress, error: unknown): void {
  if (!(error instanceof Failure) || error.kind !== "Unavailable") throw error;
  if (error instanceof Expired) progress.position = undefined;
}

/** One connection's worth of events, after a list where the position is unknown. */
async function* round(watch: Watch, progress: Progress): AsyncGenerator<WatchEvent, void, undefined> {
  if (progress.position === undefined) {
    const list = await listAll(watch.transport, watch.kind, watch.options);
    yield* watch.known.compare(list.items);
    progress.position = list.resourceVersion;
    watch.options.listed?.();
  }
  for await (const line of linesOf(await openWatch(watch, progress.position))) {
    const event = parseLine(watch.kind, line);
    progress.position = event.object.metadata.resourceVersion ?? progress.position;
    progress.idleRounds = 0;
    if (event.type === "BOOKMARK") continue;
    watch.known.note(event);
    yield event;
  }
}

function openWatch({ transport, kind, options }: Watch, position: string): Promise<IncomingMessage> {
  const { namespace, signal, idleMs = 120_000 } = options;
  const query = {
    watch: "1",
    allowWatchBookmarks: "true",
    timeoutSeconds: String(SERVER_SECONDS),
    resourceVersion: position,
    labelSelector: selectorOf(options),
  };
  const path = collectionPath(kind, namespace);
  return transport.open({ what: `watch ${kind.plural}`, method: "GET", path, query }, { idleMs, signal });
}

/** Whole lines of the stream; what a broken connection leaves over is dropped, since the watch resumes before it. */
async function* linesOf(response: IncomingMessage): AsyncGenerator<string, void, undefined> {
  const split = lineSplitter();
  try {
    for await (const chunk of response) yield* split(chunk as Buffer);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("Unavailable", "the watch broke off", { cause: error });
  } finally {
    response.destroy();
  }
}

function lineSplitter(): (chunk: Buffer) => readonly string[] {
  const decoder = new TextDecoder();
  let rest = "";
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE)
      throw new Failure("TooLarge", `a watch sent a line of more than ${MAX_LINE} characters`);
    return lines.filter((line) => line.trim() !== "");
  };
}

type Line = WatchEvent | { readonly type: "BOOKMARK"; readonly object: KubeObject };

function parseLine(kind: ResourceDefinition, line: string): Line {
  const what = `watch ${kind.plural}`;
  const value = parseJson(line) as {
    readonly type?: unknown;
    readonly object?: KubeStatus & Partial<KubeObject>;
  } | null;
  const { type, object } = value ?? {};
  if (type === "ERROR") throw failureOfStatus(what, object ?? {});
  const event = type === "ADDED" || type === "MODIFIED" || type === "DELETED" || type === "BOOKMARK";
  if (!event || typeof object?.metadata !== "object") {
    throw new Failure("Invalid", `${what}: the API server sent a line that is no event: ${line.slice(0, 120)}`);
  }
  return { type, object: object as KubeObject };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Pauses that double; a watch that merely ended in the ordinary way is resumed at once. */
async function pause(idleRounds: number, signal: AbortSignal): Promise<void> {
  const ms = idleRounds === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (idleRounds - 1), LONGEST_PAUSE_MS);
  await delay(ms * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
}
