import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { functions } from "../../functions/index.ts";
import { serveChild } from "../../knative/local/functions/serve-child.ts";
import type { Decision, Write } from "../../shared/decision.ts";
import type { FunctionIdentity } from "../../shared/run.ts";

/** Folder in which each death leaves a file, so that it happens once. */
const { CRASHES = "" } = process.env;

/** What the step under way is: a process handles one event of the one repository at a time. */
let step = "only";

/** Dies at this place of the step under way, the first time that any process gets there. */
function die(place: string, name: string): void {
  const mark = join(CRASHES, `${name}.${step}.${place}`);
  if (!name.startsWith("repo-sync-") || name === "repo-sync-tick" || existsSync(mark)) return;
  writeFileSync(mark, "");
  process.kill(process.pid, "SIGKILL");
}

/** The first, three in between and the last step die in places of their own; all others are left alone. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  only: ["stored", "written", "published"],
  first: ["amid", "written"],
  1: ["gathered"],
  2: ["amid"],
  3: ["published"],
  last: ["amid", "written", "published"],
};

function dyingIn({ name, function: definition }: FunctionIdentity): FunctionIdentity {
  return {
    name,
    function: {
      ...definition,
      gather: async (event, ports) => {
        const world = await definition.gather(event, ports);
        step = stepOf(event as { readonly data: object }, world as object);
        return world;
      },
      decide: (world, event) => withDeathAmid(definition.decide(world, event), name),
    },
  };
}

function stepOf({ data }: { readonly data: object }, world: object): string {
  if (!("after" in data)) return "only";
  if ("step" in world && (world.step as { readonly last: boolean }).last) return "last";
  if (data.after === "") return "first";
  return ["1", "2", "3"].find((number) => !marked(number)) ?? "later";
}

function marked(number: string): boolean {
  return (PLACES[number] ?? []).every((place) => existsSync(join(CRASHES, `repo-sync-continued.${number}.${place}`)));
}

/** Has the process die when half of what was decided is written. */
function withDeathAmid(decision: Decision, name: string): Decision {
  const { write = [] } = decision;
  const half = write[Math.floor(write.length / 2)];
  if (write.length < 3 || !half || !PLACES[step]?.includes("amid")) return decision;
  const deadly: Write = Object.defineProperty({ ...half }, "verb", {
    enumerable: true,
    get() {
      die("amid", name);
      return half.verb;
    },
  });
  return { ...decision, write: write.map((each) => (each === half ? deadly : each)) };
}

await serveChild(functions.map(dyingIn), {
  checkpoint: (point, name) => {
    if (PLACES[step]?.includes(point)) die(point, name);
  },
});
