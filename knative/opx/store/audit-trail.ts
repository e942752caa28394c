import type { Answer } from "../command.ts";
import type { StoreApi } from "./api.ts";
import { list } from "./list.ts";
import type { PageValues } from "./list-options.ts";
import { Audit } from "./shapes.ts";

/** What is asked for: the trail of one version, or of all versions of an application. */
export interface TrailQuery {
  readonly path: string;
  readonly hint: string;
  readonly page: PageValues;
}

/** The audit trail of what is found at that path, newest first. */
export function auditTrail(store: StoreApi, { path, ...query }: TrailQuery): Promise<Answer> {
  return list(store, {
    ...query,
    path: `${path}/audits`,
    item: Audit,
    head: ["time", "version", "became", "by", "message"],
    row: ({ status_time, version_id, version_name, status, operator, message }) => [
      status_time,
      `${version_id} ${version_name}`,
      status,
      operator,
      message,
    ],
    none: "nothing happened",
  });
}
