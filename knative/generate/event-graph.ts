import type { EventDefinition } from "../../shared/event.ts";
import type { HttpFunction } from "../../shared/http-function.ts";
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
export function eventGraph(
  functions: readonly FunctionIdentity[],
  httpFunctions: readonly HttpFunction[],
): readonly EventNode[] {
  const handled = functions.map(({ function: { on } }) => on);
  const senders = [...functions.map(({ name, function: { emits } }) => ({ name, emits })), ...httpFunctions];
  const definitions = [...handled, ...senders.flatMap(({ emits }) => emits)];
  const byType = new Map(definitions.map((definition) => [definition.type, definition]));
  return [...byType.values()]
    .sort((a, b) => (a.type < b.type ? -1 : 1))
    .map((definition) => ({
      definition,
      from: namesOf(senders.filter(({ emits }) => emits.some(({ type }) => type === definition.type))),
      to: namesOf(functions.filter(({ function: { on } }) => on.type === definition.type)),
    }));
}

function namesOf(all: readonly { readonly name: string }[]): readonly string[] {
  return all.map(({ name }) => name);
}

/** Who sends an event that no function announces. */
export function outsideOf({ definition: { origin } }: EventNode): string {
  return origin ? `${origin.source.kind} ${origin.source.name}` : "people and gateways";
}
