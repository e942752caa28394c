/** Which part of a list is wanted; `limit` -1 means everything from `offset` on. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** What a page that cannot be is read as: empty, with the right total. */
const NOWHERE: Page = { limit: 0, offset: 0 };

const DEFAULT_LIMIT = 10;
const PAGING = /^limit=(-?\d+),page=(\d+)$/;

/**
 * The page that a v1 list asks for, by `paging=limit=<int>,page=<uint>` or by `limit` and `page`; `start` overrides the
 * offset. Anything unreadable counts as limit 10, page 1 (KubeSphere §6.3).
 */
export function pageOf(query: URLSearchParams): Page {
  const { limit, page } = limitAndPage(query);
  if (limit === -1) return { limit, offset: startOf(query) ?? 0 };
  const start = startOf(query);
  if (limit <= 0 || (page === 0 && start === undefined)) return NOWHERE;
  return { limit, offset: start ?? (page - 1) * limit };
}

/** One page of a list, with the length of the whole. */
export function cut<T>(items: readonly T[], { limit, offset }: Page): { items: readonly T[]; total: number } {
  const end = limit === -1 ? items.length : offset + limit;
  return { items: items.slice(offset, end), total: items.length };
}

function limitAndPage(query: URLSearchParams): { limit: number; page: number } {
  const paging = query.get("paging");
  if (paging !== null) {
    const [, limit, page] = PAGING.exec(paging) ?? [];
    return { limit: Number(limit ?? DEFAULT_LIMIT), page: Number(page ?? 1) };
  }
  return { limit: integer(query.get("limit")) ?? DEFAULT_LIMIT, page: integer(query.get("page")) ?? 1 };
}

function startOf(query: URLSearchParams): number | undefined {
  const start = integer(query.get("start"));
  return start === undefined || start < 0 ? undefined : start;
}

function integer(text: string | null): number | undefined {
  return text !== null && /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}
