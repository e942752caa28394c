import * as z from "zod";
import { change, replaceStatus } from "../../shared/decision.ts";
import { defineEvent } from "../../shared/event.ts";
import { defineFunction } from "../../shared/function.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import type { FunctionIdentity } from "../../shared/run.ts";

const data = z.object({ number: z.int(), text: z.string() });
const example = { number: 1, text: "" };

/** What the functions of the bench handle: about 1 KB of data. */
export const BenchAsked = defineEvent({ type: "bench.asked", summary: "Something to do.", data, example });

/** What they announce. */
export const BenchAnswered = defineEvent({ type: "bench.answered", summary: "It was done.", data, example });

/** Parses an event and does nothing, as the peer does. */
export const idle = identityOf(
  defineFunction({
    on: BenchAsked,
    summary: "Does nothing.",
    emits: [],
    reads: [],
    writes: [],
    timeoutMs: 10_000,
    concurrency: 256,
    gather: async () => undefined,
    decide: () => change({}),
  }),
);

/** Announces one event for each. */
export const echo = identityOf(
  defineFunction({
    on: BenchAsked,
    summary: "Announces what it hears.",
    emits: [BenchAnswered],
    reads: [],
    writes: [],
    timeoutMs: 10_000,
    concurrency: 256,
    gather: async () => undefined,
    decide: (_, event) => change({ announce: [BenchAnswered.of(`bench/${event.data.number}`, event.data)] }),
  }),
);

/** Reads an object, writes its status and announces one event, for each. */
export const writing = identityOf(
  defineFunction({
    on: BenchAsked,
    summary: "Writes a status and announces it.",
    emits: [BenchAnswered],
    reads: [HelmCategory],
    writes: [HelmCategory],
    timeoutMs: 10_000,
    concurrency: 64,
    gather: (event, { kube }) => kube.get(HelmCategory, `ctg-${event.data.number}`),
    decide: (category, event) => {
      if (!category) throw new Error(`ctg-${event.data.number} was not prepared`);
      return change({
        write: [replaceStatus(HelmCategory, category, { total: (category.status?.total ?? 0) + 1 })],
        announce: [BenchAnswered.of(`bench/${event.data.number}`, event.data)],
      });
    },
  }),
);

function identityOf(definition: object): FunctionIdentity {
  return { name: "bench-asked", function: definition as FunctionIdentity["function"] };
}
