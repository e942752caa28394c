import type { EventDefinition } from "../../shared/event.ts";
import type { FunctionIdentity } from "../../shared/run.ts";

/** An event type with those who announce it and those who handle it. */
export interface EventNode {
  readonly definition: EventDefinition;
  /** Names of functions that announce it. */
  readonly from: readonly string[];
  /** Names of functions that handle it; none means a fact for whoever listens. */
  readonly to: readonly string[];
}

/** Every event that some function announces or handles, sorted by type. */
export function eventGraph(functions: readonly FunctionIdentity[]): readonly EventNode[] {
  const definitions = functions.flatMap(({ function: { on, emits } }) => [on, ...emits]);
  const byType = new Map(definitions.map((definition) => [definition.type, definition]));
  const names = (has: (identity: FunctionIdentity) => boolean) => functions.filter(has).map(({ name }) => name);
  return [...byType.values()]
    .sort((a, b) => (a.type < b.type ? -1 : 1))
    .map((definition) => ({
      definition,
      from: names(({ function: { emits } }) => emits.some(({ type }) => type === definition.type)),
      to: names(({ function: { on } }) => on.type === definition.type),
    }));
}

/** Who sends an event that no function announces. */
export function outsideOf({ definition: { origin } }: EventNode): string {
  return origin ? `${origin.source.kind} ${origin.source.name}` : "people and gateways";
}
