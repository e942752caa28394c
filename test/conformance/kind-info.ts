import { KINDS } from "../../knative/generate/kinds.ts";
import type { Json } from "../../knative/local/api/schema/json.ts";
import { type KindInfo, kindsOfCrd } from "../../knative/local/api/schema/kinds.ts";
import { toCrd } from "../../shared/crd.ts";

/** Each of our kinds as an API server sees it. */
export const KIND_INFOS: ReadonlyMap<string, KindInfo> = new Map(
  KINDS.flatMap((kind) => kindsOfCrd(toCrd(kind) as unknown as Json)).map((info) => [info.kind, info]),
);

/** One of our kinds as an API server sees it. */
export function kindInfo(kind: string): KindInfo {
  const info = KIND_INFOS.get(kind);
  if (!info) throw new Error(`${kind} is none of our kinds`);
  return info;
}
