import { mapLimited } from "./concurrency.ts";
import type { Decision, Write } from "./decision.ts";
import { Failure } from "./errors.ts";
import { announce, type Event, type EventDefinition } from "./event.ts";
import type { KubeReader, KubeWriter } from "./ports.ts";
import { apiVersionOf, type KubeObject, type OwnerReference, subjectOf } from "./resource.ts";
import type { Runtime } from "./run.ts";

/** What a commit did, for logs, metrics and the timeline. */
export interface Committed {
  readonly wrote: readonly string[];
  readonly announced: readonly Event[];
}

/** Which function commits, and on account of which event. */
export interface CommitContext {
  readonly functionName: string;
  readonly definition: EventDefinition;
  readonly cause: Event;
  readonly runtime: Runtime;
  /** Aborted when the function's time is up: the event comes again, so nothing more is begun. */
  readonly signal: AbortSignal;
}

/** Writes of one decision that are under way at once. */
const CONCURRENT_WRITES = 16;

/** Commits a decision in the order that makes a crash harmless: bytes, history, objects, events; the caller acknowledges. */
export async function commit(decision: Decision, context: CommitContext): Promise<Committed> {
  const { runtime, functionName } = context;
  const { blobs = [], write = [], record = [], announce: announcements = [], forget = [] } = decision;
  await mapLimited(blobs, CONCURRENT_WRITES, ({ bucket, key, bytes }) => runtime.blobs.put(bucket, key, bytes));
  await mapLimited(record, CONCURRENT_WRITES, (each) => runtime.history.append(each));
  await runtime.checkpoint?.("stored", functionName);
  const wrote = await writeAll(write, context);
  await runtime.checkpoint?.("written", functionName);
  const now = runtime.clock.now();
  const { definition, cause } = context;
  context.signal.throwIfAborted();
  const announced = announcements.map((each) => announce(functionName, each, { definition, cause, now }));
  await mapLimited(announced, CONCURRENT_WRITES, (event) => runtime.bus.publish(event));
  await runtime.checkpoint?.("published", functionName);
  await mapLimited(forget, CONCURRENT_WRITES, ({ bucket, key, revision }) =>
    runtime.blobs.remove(bucket, key, revision),
  );
  return { wrote, announced };
}

/** Stage by stage, so that those who belong to an owner can name its uid. */
async function writeAll(writes: readonly Write[], context: CommitContext): Promise<readonly string[]> {
  const { kube } = context.runtime;
  const written = new Map<string, KubeObject>();
  const one = async (write: Write) => {
    context.signal.throwIfAborted();
    const subject = subjectOf(write.kind, write.object.metadata);
    const object = continuing(await withOwner(write, written, kube), written.get(subject));
    const result = await writeOne({ ...write, object }, kube, context.functionName);
    if (result) written.set(subject, result);
    return `${write.verb} ${subject}`;
  };
  const wrote: string[] = [];
  for (const stage of stagesOf(writes)) wrote.push(...(await mapLimited(stage, CONCURRENT_WRITES, one)));
  return wrote;
}

/** Owners before those who belong to them, a second write to an object after the first, the `last` ones last, the rest at once. */
function stagesOf(writes: readonly Write[]): readonly (readonly Write[])[] {
  const stages: Write[][] = [];
  const seen = new Map<string, number>();
  const rank = ({ owner, last }: Write) => (last ? 2 : owner ? 1 : 0);
  for (const write of writes.toSorted((a, b) => rank(a) - rank(b))) {
    const subject = subjectOf(write.kind, write.object.metadata);
    const after = [seen.get(subject), write.owner && seen.get(subjectOf(write.owner.kind, write.owner))];
    const stage = write.last ? stages.length : Math.max(-1, ...after.filter((at) => at !== undefined)) + 1;
    seen.set(subject, stage);
    stages[stage] ??= [];
    stages[stage].push(write);
  }
  return stages;
}

/** A second write to an object as it was read goes on from the first one, which has checked that nobody wrote in between. */
function continuing(object: KubeObject, before: KubeObject | undefined): KubeObject {
  const { resourceVersion } = object.metadata;
  if (resourceVersion === undefined || before?.metadata.resourceVersion === undefined) return object;
  return { ...object, metadata: { ...object.metadata, resourceVersion: before.metadata.resourceVersion } };
}

async function writeOne(write: Write, kube: KubeWriter, manager: string): Promise<KubeObject | undefined> {
  const { verb, kind, object } = write;
  switch (verb) {
    case "create": {
      const created = await kube.create(kind, object, manager);
      const status = "status" in object ? object.status : undefined;
      if (status === undefined) return created;
      return kube.replaceStatus(kind, { ...created, status } as KubeObject, manager);
    }
    case "apply":
      return kube.apply(kind, object, manager);
    case "replace":
      return kube.replace(kind, object, manager);
    case "replaceStatus":
      return kube.replaceStatus(kind, object, manager);
    case "remove":
      await kube.remove(kind, object, write.asRead);
      return undefined;
  }
}

async function withOwner(
  write: Write,
  written: ReadonlyMap<string, KubeObject>,
  kube: KubeReader,
): Promise<KubeObject> {
  const { owner, object } = write;
  if (!owner) return object;
  const known = written.get(subjectOf(owner.kind, owner)) ?? (await kube.get(owner.kind, owner.name));
  const uid = known?.metadata.uid;
  if (uid === undefined)
    throw new Failure("Conflict", `${subjectOf(owner.kind, owner)} is gone, which was to own another object`);
  const reference: OwnerReference = {
    apiVersion: apiVersionOf(owner.kind),
    kind: owner.kind.kind,
    name: owner.name,
    uid,
  };
  return { ...object, metadata: { ...object.metadata, ownerReferences: [reference] } };
}
