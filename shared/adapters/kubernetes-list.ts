import { Failure } from "../errors.ts";
import type { ListQuery } from "../ports.ts";
import { apiVersionOf, type KubeObject, type ResourceDefinition } from "../resource.ts";
import { Expired, failureOf, type KubeAnswer } from "./kubernetes-errors.ts";
import type { KubeTransport } from "./kubernetes-http.ts";
import { collectionPath } from "./kubernetes-paths.ts";

/** All objects of a query and the point in history at which they were so. */
export interface KubeList {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
}

/** Objects asked for at once. */
const PAGE = 500;

/** Fresh starts before a list that changes faster than it can be read is given up. */
const STARTS = 3;

/** Reads all pages. Starts again when the server has dropped the list, asks for less where a page is too large. */
export async function listAll(transport: KubeTransport, kind: ResourceDefinition, query: ListQuery): Promise<KubeList> {
  for (let start = 1; ; start++) {
    try {
      return await listOnce(transport, kind, query);
    } catch (error) {
      if (!(error instanceof Expired) || start >= STARTS) throw error;
    }
  }
}

/** The `labelSelector` parameter for a query; `undefined` where it selects everything. */
export function selectorOf({ labels = {}, labelSelector }: ListQuery): string | undefined {
  const parts = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  if (labelSelector !== undefined && labelSelector !== "") parts.push(labelSelector);
  return parts.length === 0 ? undefined : parts.join(",");
}

interface Page {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly KubeObject[] | null;
}

async function listOnce(transport: KubeTransport, kind: ResourceDefinition, query: ListQuery): Promise<KubeList> {
  const items: KubeObject[] = [];
  const reader = pageReader(transport, kind, query);
  let first: string | undefined;
  let next: string | undefined;
  do {
    const page = await reader(next);
    first ??= page.metadata?.resourceVersion;
    next = page.metadata?.continue || undefined;
    for (const item of page.items ?? []) items.push(typed(kind, item));
  } while (next !== undefined);
  return { items, resourceVersion: first ?? "0" };
}

function pageReader(transport: KubeTransport, kind: ResourceDefinition, query: ListQuery) {
  const what = `list ${kind.plural}${query.namespace === undefined ? "" : `/${query.namespace}`}`;
  const path = collectionPath(kind, query.namespace);
  let limit = PAGE;
  return async (next: string | undefined): Promise<Page> => {
    for (;;) {
      try {
        const parameters = { labelSelector: selectorOf(query), limit: String(limit), continue: next };
        return readPage(what, await transport.send({ what, method: "GET", path, query: parameters }));
      } catch (error) {
        if (!(error instanceof Failure) || error.kind !== "TooLarge" || limit === 1) throw error;
        limit = Math.ceil(limit / 8);
      }
    }
  };
}

function readPage(what: string, answer: KubeAnswer): Page {
  if (answer.status !== 200) throw failureOf(what, answer);
  return parseAnswer(what, answer) as Page;
}

/** Parses the JSON of a successful answer. */
export function parseAnswer(what: string, answer: KubeAnswer): object {
  try {
    const value: unknown = JSON.parse(answer.text);
    if (typeof value === "object" && value !== null) return value;
  } catch (error) {
    throw new Failure("Unavailable", `${what}: the API server answered ${answer.status} without readable JSON`, {
      cause: error,
    });
  }
  throw new Failure(
    "Unavailable",
    `${what}: the API server answered ${answer.status} with something that is no object`,
  );
}

/** Lists of built-in kinds leave apiVersion and kind out of their items. */
function typed(kind: ResourceDefinition, item: KubeObject): KubeObject {
  return { ...item, apiVersion: apiVersionOf(kind), kind: kind.kind };
}
