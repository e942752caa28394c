import type { Outcome } from "../../../shared/outcome.ts";
import type { Handling, Timeline, TimelineNode } from "./build-timeline.ts";
import type { Paint } from "./paint.ts";

/** Siblings of one type that are written out before the rest is only counted. */
const SHOWN_SIBLINGS = 5;

/** Written objects that are named before they are only counted by kind. */
const NAMED_WRITES = 3;

/** The timeline as lines of text: each event below its cause, with the functions that handled it, how long that took and what they wrote. */
export function renderTimeline({ roots, idle }: Timeline, paint: Paint): readonly string[] {
  const lines = renderSiblings(roots, 0, paint);
  if (idle === 0) return lines;
  return [...lines, paint.faint(`(${idle} further changes of objects and ticks led to nothing)`)];
}

function renderSiblings(nodes: readonly TimelineNode[], depth: number, paint: Paint): readonly string[] {
  const counts = new Map<string, number>();
  const lines = nodes.flatMap((node) => {
    const count = (counts.get(node.event.type) ?? 0) + 1;
    counts.set(node.event.type, count);
    return count <= SHOWN_SIBLINGS ? renderNode(node, depth, paint) : [];
  });
  const hidden = [...counts].filter(([, count]) => count > SHOWN_SIBLINGS);
  const more = ([type, count]: readonly [string, number]) =>
    `${indent(depth)}${paint.faint(`… and ${count - SHOWN_SIBLINGS} more ${type}`)}`;
  return [...lines, ...hidden.map(more)];
}

function renderNode({ event, handlings, children }: TimelineNode, depth: number, paint: Paint): readonly string[] {
  const subject = event.subject === undefined ? "" : `  ${event.subject}`;
  const head = `${indent(depth)}${paint.strong(event.type)}${subject}`;
  const own = handlings.length === 0 ? [`${head}  ${paint.faint("(fact)")}`] : [head];
  return [
    ...own,
    ...handlings.map((handling) => `${indent(depth + 1)}${renderHandling(handling, paint)}`),
    ...renderSiblings(children, depth + 1, paint),
  ];
}

function renderHandling(handling: Handling, paint: Paint): string {
  const { attempts, durationMs, wrote, outcome } = handling;
  const tries = attempts === 1 ? "" : ` in ${attempts} attempts`;
  const writes = wrote.length === 0 ? "" : `  wrote ${summarize(wrote)}`;
  const verdict = renderOutcome(outcome, paint);
  return `→ ${paint.name(handling.function)} ${paint.faint(`${durationMs.toFixed(0)} ms`)}${tries}${verdict}${writes}`;
}

function renderOutcome(outcome: Outcome, paint: Paint): string {
  switch (outcome.kind) {
    case "done":
      return "";
    case "ignored":
      return ` ${paint.faint("ignored")}`;
    case "refused":
    case "dead":
      return ` ${paint.bad(`${outcome.kind}: ${outcome.reason}`)} (${outcome.message})`;
    default:
      return ` ${paint.faint(`${outcome.kind}: ${outcome.reason}`)}`;
  }
}

/** A few writes by name, many by count: `create helmapplications/a`, or `12 × create helmapplicationversions`. */
function summarize(wrote: readonly string[]): string {
  const distinct = [...Map.groupBy(wrote, (each) => each)].map(([each, { length }]) => times(length, each));
  if (distinct.length <= NAMED_WRITES) return distinct.join(", ");
  const kinds = Map.groupBy(wrote, (each) => each.split("/", 1)[0] ?? each);
  return [...kinds].map(([kind, { length }]) => times(length, kind)).join(", ");
}

function times(count: number, text: string): string {
  return count === 1 ? text : `${count} × ${text}`;
}

function indent(depth: number): string {
  return "  ".repeat(depth);
}
