import { shaped, wantedOf } from "./answers.ts";
import { type Call, flag } from "./call.ts";
import { badRequest, expired, type Status } from "./errors.ts";
import { revisionOf, type Selection, selectionOf } from "./list.ts";
import type { Form } from "./negotiate.ts";
import { apiVersionOf } from "./object.ts";
import type { KindInfo } from "./schema/kinds.ts";
import { type Change, type Entry, resourceKey } from "./storage.ts";
import { type Backend, objectIn, type Target, textIn } from "./target.ts";

const bookmarkEveryMs = 60_000;
const backlogLimit = 16 * 1024 * 1024;
const defaultTimeoutSeconds = 1800;

interface Watch {
  readonly kind: KindInfo;
  readonly namespace: string;
  readonly name: string | undefined;
  readonly selection: Selection;
  readonly form: Form;
  readonly call: Call;
  /** Tables name their columns only once. */
  headSent: boolean;
}

/** Answers a watch: writes one JSON event per line until the client leaves or the time is up. */
export async function watchObjects(backend: Backend, target: Target, call: Call): Promise<void> {
  const { kind, namespace, name } = target;
  const { form } = wantedOf(call);
  const selection = selectionOf(kind, call.query);
  const watch: Watch = { kind, namespace, name, selection, form, call, headSent: false };
  const initial = initialEvents(backend, watch);
  const { response } = call;
  response.writeHead(200, {
    "content-type": "application/json",
    "transfer-encoding": "chunked",
    "cache-control": "no-cache, private",
  });
  response.flushHeaders();
  if (initial === undefined) {
    const asked = revisionOf(call.query) ?? 0;
    send(watch, "ERROR", expired(`too old resource version: ${asked} (${backend.storage.oldest()})`).status);
    response.end();
    return;
  }
  for (const line of initial) response.write(line);
  await follow(backend, watch);
}

// Subscribing happens in the same turn as reading the past, so nothing is missed and nothing comes twice.
async function follow(backend: Backend, watch: Watch): Promise<void> {
  const { response, query } = watch.call;
  const resource = resourceKey(watch.kind.group, watch.kind.plural);
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const stop = backend.storage.subscribe(resource, (change) => {
    const line = lineOf(watch, change);
    if (line === undefined) return;
    // A client that does not read is cut off; it resumes from the last revision that it saw.
    if (response.writableLength > backlogLimit) end();
    else response.write(line);
  });
  const seconds = Number(query.get("timeoutSeconds") ?? 0) || defaultTimeoutSeconds;
  const timeout = setTimeout(end, Math.min(seconds, 86_400) * 1000);
  const bookmarks = flag(query, "allowWatchBookmarks");
  const ticking = setInterval(
    () => bookmarks && response.write(bookmark(watch, backend.storage.revision())),
    bookmarkEveryMs,
  );
  response.on("close", end);
  await over;
  stop();
  clearTimeout(timeout);
  clearInterval(ticking);
  if (bookmarks && response.writable) response.write(bookmark(watch, backend.storage.revision()));
  response.end();
}

function initialEvents(backend: Backend, watch: Watch): readonly string[] | undefined {
  const { query } = watch.call;
  const revision = revisionOf(query);
  const resource = resourceKey(watch.kind.group, watch.kind.plural);
  const streaming = query.get("sendInitialEvents");
  checkStreaming(query);
  if (streaming !== "true" && revision !== undefined && revision > 0) {
    const changes = backend.storage.since(resource, revision);
    return changes?.flatMap((change) => lineOf(watch, change) ?? []);
  }
  if (streaming === "false") return [];
  const entries = backend.storage.list(resource, watch.namespace === "" ? undefined : watch.namespace);
  const lines = entries.filter((entry) => selects(watch, entry)).map((entry) => eventLine(watch, "ADDED", entry));
  if (streaming === "true" && flag(query, "allowWatchBookmarks"))
    lines.push(bookmark(watch, backend.storage.revision(), true));
  return lines;
}

function checkStreaming(query: URLSearchParams): void {
  const match = query.get("resourceVersionMatch") ?? "";
  if (query.get("sendInitialEvents") === null) {
    if (match !== "")
      throw badRequest(
        "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
      );
  } else if (match !== "NotOlderThan") {
    throw badRequest(
      "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
    );
  }
}

function selects(watch: Watch, entry: Entry | undefined): entry is Entry {
  if (entry === undefined) return false;
  if (watch.namespace !== "" && entry.namespace !== watch.namespace) return false;
  if (watch.name !== undefined && entry.name !== watch.name) return false;
  return watch.selection === undefined || watch.selection(objectIn(watch.kind, entry));
}

// An object that begins or ceases to match appears or disappears for this watcher.
function lineOf(watch: Watch, change: Change): string | undefined {
  const now = change.type !== "DELETED" && selects(watch, change.entry);
  const before = selects(watch, change.previous);
  if (!now && !before) return undefined;
  const type = now ? (before ? "MODIFIED" : "ADDED") : "DELETED";
  if (watch.form !== "object") return shapedLine(watch, type, change.entry);
  return sharedLine(watch, type, change);
}

// Fifty watchers of one kind are sent the same text, so it is made once per change.
const sharedLines = new WeakMap<Change, Map<string, string>>();

function sharedLine(watch: Watch, type: string, change: Change): string {
  const lines = sharedLines.get(change) ?? new Map<string, string>();
  const key = `${type} ${apiVersionOf(watch.kind)}`;
  const known = lines.get(key);
  if (known !== undefined) return known;
  const line = eventLine(watch, type, change.entry);
  sharedLines.set(change, lines.set(key, line));
  return line;
}

function eventLine(watch: Watch, type: string, entry: Entry): string {
  if (watch.form !== "object") return shapedLine(watch, type, entry);
  return `{"type":"${type}","object":${textIn(watch.kind, entry)}}\n`;
}

function shapedLine(watch: Watch, type: string, entry: Entry): string {
  const { form, kind, call } = watch;
  const object = shaped(objectIn(kind, entry), { form, kind, query: call.query, head: !watch.headSent });
  watch.headSent = true;
  return `${JSON.stringify({ type, object })}\n`;
}

function bookmark(watch: Watch, revision: number, initialEnd = false): string {
  const annotations = initialEnd ? { annotations: { "k8s.io/initial-events-end": "true" } } : {};
  const metadata = { resourceVersion: String(revision), creationTimestamp: null, ...annotations };
  const { kind } = watch;
  const object =
    watch.form === "object"
      ? { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata }
      : watch.form === "partial"
        ? { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata }
        : {
            kind: "Table",
            apiVersion: "meta.k8s.io/v1",
            metadata: { resourceVersion: String(revision) },
            columnDefinitions: null,
            rows: initialEnd
              ? [{ cells: [], object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata } }]
              : [],
          };
  return `${JSON.stringify({ type: "BOOKMARK", object })}\n`;
}

function send(watch: Watch, type: string, object: Status): void {
  watch.call.response.write(`${JSON.stringify({ type, object })}\n`);
}
