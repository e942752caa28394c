import type * as z from "zod";
import { present } from "../../../shared/present.ts";
import type { Answer } from "../command.ts";
import { columns } from "../text.ts";
import type { StoreApi } from "./api.ts";
import { moreLines, type PageValues, pageQuery } from "./list-options.ts";
import { listOf } from "./shapes.ts";

/** A list of the store and how people see it. */
export interface ListQuery<S extends z.ZodType> {
  readonly path: string;
  readonly base?: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly page: PageValues;
  readonly hint: string;
  readonly item: S;
  readonly head: readonly string[];
  row(item: z.output<S>): readonly string[];
  /** What is said where there is nothing. */
  readonly none: string;
}

/** One page of a list, in columns; programs get the store's own answer. */
export async function list<S extends z.ZodType>(store: StoreApi, wanted: ListQuery<S>): Promise<Answer> {
  const { path, base, page, hint, item, head, none } = wanted;
  const query = { ...wanted.query, ...pageQuery(page) };
  const json = await store.call({ method: "GET", path, ...present({ base }), query, hint }, listOf(item));
  const { items, total_count: total } = json;
  const lines = total === 0 ? [none] : columns(head, items.map(wanted.row));
  return { json, lines: [...lines, ...moreLines(items.length, total, page)] };
}
