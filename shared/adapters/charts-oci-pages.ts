import { parseJsonMapping } from "../charts/records.ts";
import { Failure } from "../errors.ts";
import { nameOf } from "./charts-http-fetch.ts";
import type { Registry } from "./charts-oci-registry.ts";

/** A list that a registry serves in pages. */
export interface PagedList {
  /** Below the registry's root, without query. */
  readonly path: string;
  readonly scope: string;
  /** The property that holds the items. */
  readonly property: "tags" | "repositories";
  /** Most items of all pages together. */
  readonly maxItems: number;
}

const PAGE_ITEMS = 1000;
const MAX_PAGES = 1000;
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** All items of a list; `undefined` where the registry has no such list. Follows `Link` at the same address only. */
export async function readPages(registry: Registry, list: PagedList): Promise<readonly string[] | undefined> {
  const items: string[] = [];
  const seen = new Set<string>();
  for (let next: string | undefined = `${list.path}?n=${PAGE_ITEMS}`; next !== undefined; ) {
    refuseEndless(registry, { list, seen, next });
    seen.add(next);
    const page = await readPage(registry, list, next);
    if (!page) return seen.size === 1 ? undefined : items;
    items.push(...page.items);
    if (items.length > list.maxItems) {
      const what = nameOf(new URL(list.path, registry.url));
      throw new Failure("TooLarge", `${what}: more than ${list.maxItems} ${list.property}, the limit`);
    }
    next = page.next;
  }
  return items;
}

interface Turn {
  readonly list: PagedList;
  readonly seen: ReadonlySet<string>;
  readonly next: string;
}

function refuseEndless(registry: Registry, { list, seen, next }: Turn): void {
  const what = nameOf(new URL(list.path, registry.url));
  if (seen.has(next)) throw new Failure("Invalid", `${what}: its pages go round in a circle; ask the registry's owner`);
  if (seen.size === MAX_PAGES) throw new Failure("TooLarge", `${what}: more than ${MAX_PAGES} pages, the limit`);
}

async function readPage(registry: Registry, { scope, property }: PagedList, path: string) {
  const answer = await registry.ask({ path, scope, maxBytes: MAX_PAGE_BYTES });
  if (!answer) return undefined;
  const url = new URL(path, registry.url);
  const what = nameOf(url);
  return { items: itemsOf(answer.body, what, property), next: nextPage(url, answer.headers["link"]) };
}

function itemsOf(body: Buffer, what: string, property: PagedList["property"]): readonly string[] {
  const answer = parseJsonMapping(body);
  const items = answer && (answer[property] ?? []);
  if (!Array.isArray(items)) {
    throw new Failure("Invalid", `${what}: the answer holds no list of ${property}; is this an OCI registry?`);
  }
  return items.filter((item) => typeof item === "string");
}

/**
 * The next page, by `Link: <url>; rel="next"` of RFC 5988. Only its query counts: registries behind a proxy name
 * themselves by other hosts and paths, and a list is asked for nowhere but where it began.
 */
function nextPage(current: URL, link: string | string[] | undefined): string | undefined {
  const header = Array.isArray(link) ? link.join(", ") : (link ?? "");
  const [, target = ""] = /<([^<>]{1,4096})>[^<]*?;\s*rel="?next"?/i.exec(header) ?? [];
  const search = URL.parse(target, current.href)?.search ?? "";
  return target === "" || search === "" ? undefined : `${current.pathname}${search}`;
}
