import { type Committed, commit } from "./commit.ts";
import type { Decision } from "./decision.ts";
import { Failure, messageOf } from "./errors.ts";
import type { Event, EventDefinition } from "./event.ts";
import type { StoreFunction } from "./function.ts";
import { type Outcome, outcomeOfError } from "./outcome.ts";
import type { Bus, KubeReader, KubeWriter, Log, Services } from "./ports.ts";

/** Where a function stands between two steps; tests stop the process at such a point. */
export type Checkpoint = "gathered" | "stored" | "written" | "published";

/** Everything from outside that handling events needs. */
export interface Runtime extends Services {
  readonly kube: KubeReader & KubeWriter;
  readonly bus: Pick<Bus, "publish">;
  readonly log: Log;
  /** Called between the steps of a commit. */
  checkpoint?(point: Checkpoint, functionName: string): void | Promise<void>;
}

/** What one attempt at one event came to. */
export interface Handled extends Committed {
  readonly outcome: Outcome;
}

/** Tries of gather and decide when somebody else wrote in between, before the event is put back. */
const CONFLICT_TRIES = 5;

const NOTHING: Committed = { wrote: [], announced: [] };

/** Handles one event: parse → gather → decide → commit. Never throws: every failure is an outcome. */
export async function handle(definition: FunctionIdentity, event: Event, runtime: Runtime): Promise<Handled> {
  const parsed = parseEvent(definition.function.on, event);
  if (parsed.kind !== "event") return { ...NOTHING, outcome: parsed };
  try {
    return await within(definition.function.timeoutMs, (signal) =>
      attempt(definition, parsed.event, { runtime, signal }),
    );
  } catch (error) {
    return { ...NOTHING, outcome: outcomeOfError(error) };
  }
}

/** A function and the name it has in the registry. */
export interface FunctionIdentity {
  readonly name: string;
  readonly function: StoreFunction;
}

interface Attempt {
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
}

async function attempt(identity: FunctionIdentity, event: Event, { runtime, signal }: Attempt): Promise<Handled> {
  const { gather, decide, on } = identity.function;
  for (let tries = 1; ; tries++) {
    try {
      const world = await gather(event, { ...runtime, signal });
      await runtime.checkpoint?.("gathered", identity.name);
      signal.throwIfAborted();
      const decision = decide(world, event);
      const context = { functionName: identity.name, definition: on, cause: event, runtime, signal };
      return { ...(await commit(decision, context)), outcome: outcomeOf(decision) };
    } catch (error) {
      const conflict = error instanceof Failure && error.kind === "Conflict";
      if (!conflict || tries >= CONFLICT_TRIES || signal.aborted) throw error;
      runtime.log.debug({ reason: error.message, tries }, "somebody else wrote first, deciding again");
    }
  }
}

function outcomeOf(decision: Decision): Outcome {
  switch (decision.outcome) {
    case "change":
      return { kind: "done" };
    case "refuse":
      return { kind: "refused", reason: decision.reason, message: decision.message };
    case "wait":
      return { kind: "waiting", reason: decision.reason };
  }
}

type Parsed = { readonly kind: "event"; readonly event: Event } | Extract<Outcome, { kind: "ignored" | "dead" }>;

/** The event with its data parsed by the declaration; foreign types of an origin are read as ours. */
function parseEvent(on: EventDefinition, event: Event): Parsed {
  const origin = event.type === on.type ? undefined : on.origin;
  if (event.type !== on.type && !origin?.matches(event)) return { kind: "ignored" };
  try {
    const data = on.data.safeParse(origin ? origin.read(event) : event.data);
    if (data.success) return { kind: "event", event: { ...event, data: data.data } };
    const issue = data.error.issues[0];
    const where = issue?.path.join(".") || "data";
    return { kind: "dead", reason: "MalformedData", message: `${event.type} ${event.id}: ${where}: ${issue?.message}` };
  } catch (error) {
    return { kind: "dead", reason: "MalformedData", message: `${event.type} ${event.id}: ${messageOf(error)}` };
  }
}

/** Fails when the time is up, whatever the work does then; its signal tells it to end. */
function within<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeUp = new AbortController();
    const timer = setTimeout(() => {
      const reason = new Failure("Unavailable", "the function's time was up before it was done");
      timeUp.abort(reason);
      reject(reason);
    }, timeoutMs);
    // Cleared at once: a busy process would else hold every event's timer until it fires.
    work(timeUp.signal)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
