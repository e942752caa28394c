import type { Decision } from "./decision.ts";
import type { EventDefinition, EventOf } from "./event.ts";
import type { KubeReader, Services } from "./ports.ts";
import type { ResourceDefinition } from "./resource.ts";

/** What `gather` may read: the declared kinds and the declared services. */
export type Ports<Reads extends ResourceDefinition, Uses extends keyof Services> = Pick<Services, Uses> & {
  readonly kube: KubeReader<Reads>;
  /** Aborted when the function's time is up. */
  readonly signal: AbortSignal;
};

/** The declaration of a function, from which Service, Trigger, Role, documents and type checks follow. */
export interface FunctionOptions<
  On extends EventDefinition,
  Emits extends EventDefinition,
  Reads extends ResourceDefinition,
  Writes extends ResourceDefinition,
  Uses extends keyof Services,
  World,
> {
  /** The one event this function handles; the function bears its name. */
  readonly on: On;
  readonly summary: string;
  readonly emits: readonly Emits[];
  readonly reads: readonly Reads[];
  readonly writes: readonly Writes[];
  /** Services besides Kubernetes that `gather` calls. */
  readonly uses?: readonly Uses[];
  /** Time for one event, including the commit. */
  readonly timeoutMs: number;
  /** Events handled at once by one process; default 16. */
  readonly concurrency?: number;
  /** Reads what the decision needs. May call idempotent services, never writes objects or announces. */
  gather(event: EventOf<On>, ports: Ports<Reads, Uses>): Promise<World>;
  /** Pure, synchronous and total: from the world and the event to what is written and announced. */
  decide(world: World, event: EventOf<On>): Decision<Emits["type"], Writes["kind"]>;
}

/** A function as host and generator see it, its own types erased. */
export interface StoreFunction {
  readonly on: EventDefinition;
  readonly summary: string;
  readonly emits: readonly EventDefinition[];
  readonly reads: readonly ResourceDefinition[];
  readonly writes: readonly ResourceDefinition[];
  readonly uses: readonly (keyof Services)[];
  readonly timeoutMs: number;
  readonly concurrency: number;
  gather(event: unknown, ports: unknown): Promise<unknown>;
  decide(world: unknown, event: unknown): Decision;
}

/** A function with its decision still typed, so that its own tests can call it. */
export type DefinedFunction<Event, World, D> = Omit<StoreFunction, "decide"> & {
  decide(world: World, event: Event): D;
};

/** Declares a function. Announcing, reading or writing what is not declared does not compile. */
export function defineFunction<
  On extends EventDefinition,
  World,
  const Emits extends EventDefinition = never,
  const Reads extends ResourceDefinition = never,
  const Writes extends ResourceDefinition = never,
  const Uses extends keyof Services = never,
>(
  options: FunctionOptions<On, Emits, Reads, Writes, Uses, World>,
): DefinedFunction<EventOf<On>, World, Decision<Emits["type"], Writes["kind"]>> {
  // The one place where a function's own types end: the host only ever passes what `on` has parsed.
  return { concurrency: 16, uses: [], ...options } as unknown as DefinedFunction<
    EventOf<On>,
    World,
    Decision<Emits["type"], Writes["kind"]>
  >;
}
