import { includedOf, wantedOf } from "./answers.ts";
import type { Answer, Call } from "./call.ts";
import { badRequest, expired, notFound, revisionTooLarge } from "./errors.ts";
import { fieldMatch } from "./field-selectors.ts";
import type { KubeObject } from "./object.ts";
import type { KindInfo } from "./schema/kinds.ts";
import { labelHints, parseFieldSelector, parseLabelSelector } from "./selectors.ts";
import { type Entry, resourceKey } from "./storage.ts";
import { columnsOf, listHead, partialListOf, tableOf } from "./tables.ts";
import { type Backend, idOf, objectIn, subjectOf, type Target, textIn } from "./target.ts";
import { lowerBound } from "./watch-cache.ts";

/** Answers GET of one object. */
export function getObject(backend: Backend, target: Target, call: Call): Answer {
  const { kind, name = "" } = target;
  const entry = backend.storage.get(idOf(kind, target.namespace, name));
  if (entry === undefined) throw notFound(subjectOf(kind, name));
  const { form } = wantedOf(call);
  if (form === "object") return { code: 200, text: textIn(kind, entry) };
  const object = objectIn(kind, entry);
  const metadata = { resourceVersion: object.metadata.resourceVersion };
  const body =
    form === "table"
      ? tableOf(columnsOf(kind), [object], { include: includedOf(call.query), metadata })
      : { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
  return { code: 200, text: JSON.stringify(body) };
}

/** Tells whether an object is selected; undefined when everything is. */
export type Selection = ((object: KubeObject) => boolean) | undefined;

/** The selection that labelSelector and fieldSelector of a query make. Throws 400. */
export function selectionOf(kind: KindInfo, query: URLSearchParams): Selection {
  const byLabel = parseLabelSelector(query.get("labelSelector"));
  const byField = fieldMatch(kind, parseFieldSelector(query.get("fieldSelector")));
  if (byLabel === undefined) return byField;
  return (object) => byLabel(object.metadata.labels ?? {}) && (byField?.(object) ?? true);
}

interface Page {
  readonly entries: readonly Entry[];
  readonly revision: number;
  readonly next: Entry | undefined;
  readonly remaining: number;
}

/** Answers GET of a collection. */
export async function listObjects(backend: Backend, target: Target, call: Call): Promise<Answer> {
  const { kind } = target;
  const page = pageOf(backend, target, call.query);
  const metadata = {
    resourceVersion: String(page.revision),
    ...(page.next === undefined ? {} : { continue: continueToken(page.revision, page.next) }),
    ...(page.next === undefined || selective(call.query) ? {} : { remainingItemCount: page.remaining }),
  };
  const { form } = wantedOf(call);
  if (form === "object") {
    const head = JSON.stringify({ ...listHead(kind), metadata }).slice(0, -1);
    return { code: 200, text: `${head},"items":[`, more: itemTexts(kind, page.entries) };
  }
  const objects = page.entries.map((entry) => objectIn(kind, entry));
  const table = () => tableOf(columnsOf(kind), objects, { include: includedOf(call.query), metadata });
  return { code: 200, text: JSON.stringify(form === "table" ? table() : partialListOf(objects, metadata)) };
}

const batchLength = 256 * 1024;

function* itemTexts(kind: KindInfo, entries: readonly Entry[]): Generator<string> {
  let batch: string[] = [];
  let length = 0;
  for (const [index, entry] of entries.entries()) {
    const text = textIn(kind, entry);
    batch.push(index === 0 ? text : `,${text}`);
    length += text.length;
    if (length < batchLength) continue;
    yield batch.join("");
    batch = [];
    length = 0;
  }
  yield `${batch.join("")}]}`;
}

function selective(query: URLSearchParams): boolean {
  return Boolean(query.get("labelSelector") || query.get("fieldSelector"));
}

function pageOf(backend: Backend, target: Target, query: URLSearchParams): Page {
  const { kind } = target;
  const resume = readContinue(query);
  const { entries, revision } = snapshot(backend, target, resume?.revision ?? exactRevision(backend, query));
  const start = resume === undefined ? 0 : lowerBound(entries, resume.from);
  const limit = limitOf(query);
  const isPicked = pickerOf(kind, query);
  const picked: Entry[] = [];
  let index = start;
  for (; index < entries.length && picked.length < limit; index += 1) {
    const entry = entries[index];
    if (entry !== undefined && isPicked(entry)) picked.push(entry);
  }
  return { entries: picked, revision, next: entries[index], remaining: entries.length - index };
}

// Parsing is what costs: a look at the text tells most of what is not selected.
function pickerOf(kind: KindInfo, query: URLSearchParams): (entry: Entry) => boolean {
  const selection = selectionOf(kind, query);
  if (selection === undefined) return () => true;
  const hints = labelHints(query.get("labelSelector"));
  return (entry) => hints.every((hint) => entry.text.includes(hint)) && selection(objectIn(kind, entry));
}

function limitOf(query: URLSearchParams): number {
  const limit = Number(query.get("limit") ?? 0);
  if (!Number.isInteger(limit) || limit < 0) throw badRequest("limit must be a whole number that is not negative");
  return limit === 0 ? Number.POSITIVE_INFINITY : limit;
}

function snapshot(
  backend: Backend,
  target: Target,
  revision: number | undefined,
): { entries: readonly Entry[]; revision: number } {
  const { storage } = backend;
  const resource = resourceKey(target.kind.group, target.kind.plural);
  const namespace = target.namespace === "" ? undefined : target.namespace;
  const now = storage.revision();
  if (revision === undefined || revision === now) return { entries: storage.list(resource, namespace), revision: now };
  const past = storage.listAt(resource, revision);
  if (past === undefined)
    throw expired(
      "The provided continue parameter is too old to display a consistent list result. Start a new list without the continue parameter.",
    );
  return { entries: namespace === undefined ? past : past.filter((entry) => entry.namespace === namespace), revision };
}

/** Reads a resourceVersion of a query; undefined when there is none. Throws 400. */
export function revisionOf(query: URLSearchParams): number | undefined {
  const text = query.get("resourceVersion") ?? "";
  if (text === "") return undefined;
  if (!/^\d{1,16}$/u.test(text))
    throw badRequest(`Invalid value: ${JSON.stringify(text)}: resourceVersion must be a whole number`);
  return Number(text);
}

const matches = new Set(["Exact", "NotOlderThan"]);

function exactRevision(backend: Backend, query: URLSearchParams): number | undefined {
  const revision = revisionOf(query);
  const match = query.get("resourceVersionMatch") ?? "";
  if (match !== "" && !matches.has(match))
    throw badRequest(`resourceVersionMatch: Unsupported value: ${JSON.stringify(match)}`);
  if (match !== "" && revision === undefined)
    throw badRequest(
      "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
    );
  if (match === "Exact" && revision === 0)
    throw badRequest(
      'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    );
  if (revision !== undefined && revision > backend.storage.revision())
    throw revisionTooLarge(revision, backend.storage.revision());
  return match === "Exact" ? revision : undefined;
}

interface Resume {
  readonly revision: number;
  readonly from: { readonly resource: string; readonly namespace: string; readonly name: string };
}

function continueToken(revision: number, next: Entry): string {
  return Buffer.from(JSON.stringify({ v: 1, revision, namespace: next.namespace, name: next.name })).toString(
    "base64url",
  );
}

function readContinue(query: URLSearchParams): Resume | undefined {
  const token = query.get("continue") ?? "";
  if (token === "") return undefined;
  try {
    const { revision, namespace, name } = JSON.parse(Buffer.from(token, "base64url").toString()) as Record<
      string,
      unknown
    >;
    if (typeof revision === "number" && typeof namespace === "string" && typeof name === "string") {
      return { revision, from: { resource: "", namespace, name } };
    }
  } catch {
    // Falls through to the refusal below: what is no JSON is no token of ours either.
  }
  throw badRequest("continue key is not valid: use the token of the list before, unchanged");
}
