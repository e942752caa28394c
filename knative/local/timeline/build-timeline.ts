import type { Event } from "../../../shared/event.ts";
import type { HandledRecord } from "../../../shared/host/handled-record.ts";
import type { Outcome } from "../../../shared/outcome.ts";

/** What one function made of an event over all its attempts. */
export interface Handling {
  readonly function: string;
  /** Of the last attempt. */
  readonly outcome: Outcome;
  readonly attempts: number;
  /** Sum over the attempts. */
  readonly durationMs: number;
  readonly wrote: readonly string[];
}

/** An event, who handled it, and what it led to. */
export interface TimelineNode {
  readonly event: Event;
  readonly handlings: readonly Handling[];
  readonly children: readonly TimelineNode[];
}

/** The events of a run as trees, and how many changes of objects and ticks led to nothing. */
export interface Timeline {
  readonly roots: readonly TimelineNode[];
  readonly idle: number;
}

interface MutableNode {
  readonly event: Event;
  readonly records: HandledRecord[];
  readonly children: MutableNode[];
  parent: MutableNode | undefined;
}

const CHANGE_PREFIX = "dev.knative.apiserver.";

/** Puts every event below the one that caused it; a change of an object goes below the function that wrote the object last. */
export function buildTimeline(records: readonly HandledRecord[]): Timeline {
  const nodes = new Map<string, MutableNode>();
  const lastWriter = new Map<string, MutableNode>();
  for (const record of records) {
    const node = nodeOf(nodes, record.event);
    node.records.push(record);
    if (node.records.length === 1) adopt(lastWriter.get(changedSubject(record.event)), node);
    for (const event of record.announced) adopt(node, nodeOf(nodes, event));
    for (const wrote of record.wrote) lastWriter.set(wrote.slice(wrote.indexOf(" ") + 1), node);
  }
  const all = [...nodes.values()];
  const idle = all.filter(isIdle).length;
  const roots = all.filter((node) => node.parent === undefined && !isIdle(node));
  return { roots: roots.map(freeze), idle };
}

/** Every node of the trees, causes first. */
export function* walk(nodes: readonly TimelineNode[]): Generator<TimelineNode, void, undefined> {
  for (const node of nodes) {
    yield node;
    yield* walk(node.children);
  }
}

function nodeOf(nodes: Map<string, MutableNode>, event: Event): MutableNode {
  const key = `${event.source} ${event.id}`;
  const known = nodes.get(key);
  if (known) return known;
  const node: MutableNode = { event, records: [], children: [], parent: undefined };
  nodes.set(key, node);
  return node;
}

/** The first cause counts; nothing becomes its own ancestor. */
function adopt(parent: MutableNode | undefined, child: MutableNode): void {
  if (!parent || child.parent) return;
  for (let node: MutableNode | undefined = parent; node; node = node.parent) if (node === child) return;
  child.parent = parent;
  parent.children.push(child);
}

/** `<plural>/<namespace>/<name>` of the object that a resource event tells of, as functions name what they write. */
function changedSubject({ type, subject = "" }: Event): string {
  if (!type.startsWith(CHANGE_PREFIX)) return "";
  const [, namespace = "", plural = "", name = ""] = /\/namespaces\/([^/]*)\/([^/]+)\/([^/]+)$/.exec(subject) ?? [];
  return [plural, namespace, name].filter((part) => part !== "").join("/");
}

/** Every status write is seen as a change, and ticks come every minute: most lead to nothing and would bury the rest. */
function isIdle(node: MutableNode): boolean {
  const idle = (record: HandledRecord) => record.outcome.kind === "done" && record.wrote.length === 0;
  return node.event.type.startsWith(CHANGE_PREFIX) && node.children.length === 0 && node.records.every(idle);
}

function freeze(node: MutableNode): TimelineNode {
  const byFunction = Map.groupBy(node.records, (record) => record.function);
  return {
    event: node.event,
    handlings: [...byFunction.values()].flatMap(handlingOf),
    children: node.children.filter((child) => !isIdle(child)).map(freeze),
  };
}

function handlingOf(records: readonly HandledRecord[]): readonly Handling[] {
  const last = records.at(-1);
  if (!last) return [];
  return [
    {
      function: last.function,
      outcome: last.outcome,
      attempts: records.length,
      durationMs: records.reduce((sum, record) => sum + record.durationMs, 0),
      wrote: records.flatMap((record) => record.wrote),
    },
  ];
}
