import type { Answer } from "../command.ts";
import { columns } from "../text.ts";
import type { StoreApi } from "./api.ts";
import { moreLines, type PageValues, pageQuery } from "./list-options.ts";
import { Audit, listOf } from "./shapes.ts";

/** What is asked for: the trail of one version, or of all versions of an application. */
export interface TrailQuery {
  readonly path: string;
  readonly hint: string;
  readonly page: PageValues;
}

const Trail = listOf(Audit);
const HEAD = ["time", "version", "became", "by", "message"];

/** The audit trail at that path, newest first. */
export async function auditTrail(store: StoreApi, { path, hint, page }: TrailQuery): Promise<Answer> {
  const json = await store.call({ method: "GET", path: `${path}/audits`, query: pageQuery(page), hint }, Trail);
  const rows = json.items.map((each) => [
    each.status_time,
    `${each.version_id} ${each.version_name}`,
    each.status,
    each.operator,
    each.message,
  ]);
  const lines = rows.length === 0 ? ["nothing happened"] : columns(HEAD, rows);
  return { json, lines: [...lines, ...moreLines(rows.length, json.total_count, page)] };
}
