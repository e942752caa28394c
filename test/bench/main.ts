import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { haveRealData } from "../real/real-data.ts";
import { coldStart, coldStartFaas } from "./cold-start.ts";
import { crWrite } from "./cr-write.ts";
import { httpRps } from "./http-rps.ts";
import { list10k, list10kChanging } from "./list-10k.ts";
import { localApiGet, localApiList, localApiListLinear, localApiListRaw } from "./local-api-list.ts";
import { localApiMemory, localApiMemoryTenth } from "./local-api-memory.ts";
import { localApiWatch } from "./local-api-watch.ts";
import { localApiCreate, localApiUpdate, localApiWrite } from "./local-api-write.ts";
import { natsHop, natsHopWithWrite } from "./nats-hop.ts";
import { packageCheck } from "./package-check.ts";
import { measure, type Result, type Row } from "./row.ts";
import { SYNC_ROWS } from "./sync.ts";
import { uploadMemory } from "./upload-memory.ts";
import { WALK_ROWS } from "./walk.ts";

const LOCAL_API: readonly Row[] = [
  localApiWrite,
  localApiCreate,
  localApiUpdate,
  localApiGet,
  localApiList,
  localApiListLinear,
  localApiListRaw,
  localApiWatch,
  localApiMemoryTenth,
  localApiMemory,
];
/** Nothing made up is like them, so that these are left out where there are no real indexes and packages. */
const ON_REAL_DATA: readonly Row[] = haveRealData ? [...SYNC_ROWS, packageCheck] : [];
const ROWS: readonly Row[] = [
  coldStart,
  coldStartFaas,
  httpRps,
  natsHop,
  natsHopWithWrite,
  ...LOCAL_API,
  crWrite,
  list10k,
  list10kChanging,
  ...ON_REAL_DATA,
  ...WALK_ROWS,
  uploadMemory,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "7" }, help: { type: "boolean" } },
});
if (values.help) {
  console.log("usage: make bench [ARGS='id ... --rounds 7']\n\nrows:");
  for (const { id, what } of ROWS) console.log(`  ${id.padEnd(18)} ${what}`);
} else {
  const rows = positionals.length === 0 ? ROWS : ROWS.filter(({ id }) => positionals.includes(id));
  const results: Result[] = [];
  for (const row of rows) results.push(await measure(row, Math.max(5, Number(values.rounds))));
  await writeFile(new URL("out.json", import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
  print(results);
}

function print(results: readonly Result[]): void {
  const header = ["row", "ours", "peer", "unit", "ours/peer", "target", "", "what, beside what"];
  const lines = results.map((result) => {
    const { better } = ROWS.find(({ id }) => id === result.id) ?? { better: "lower" };
    const bound = `${better === "lower" ? "≤" : "≥"} ${result.target}`;
    const verdict = result.pass ? "ok" : "MISSED";
    const { id, ours, peer, unit, ratio, what, peerName } = result;
    return [id, `${ours}`, `${peer}`, unit, `${ratio}`, bound, verdict, `${what}, beside ${peerName}`];
  });
  const widths = header.map((_, column) => Math.max(...[header, ...lines].map((line) => line[column]?.length ?? 0)));
  for (const line of [header, ...lines])
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
