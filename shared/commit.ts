import { mapLimited } from "./concurrency.ts";
import type { Decision, Write } from "./decision.ts";
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
}

/** Writes of one decision that are under way at once. */
const CONCURRENT_WRITES = 16;

/** Commits a decision in the order that makes a crash harmless: bytes, objects, events; the caller acknowledges. */
export async function commit(decision: Decision, context: CommitContext): Promise<Committed> {
  const { runtime, functionName } = context;
  const { blobs = [], write = [], announce: announcements = [] } = decision;
  await mapLimited(blobs, CONCURRENT_WRITES, ({ bucket, key, bytes }) => runtime.blobs.put(bucket, key, bytes));
  await runtime.checkpoint?.("stored", functionName);
  const wrote = await writeAll(write, context);
  await runtime.checkpoint?.("written", functionName);
  const now = runtime.clock.now();
  const { definition, cause } = context;
  const announced = announcements.map((each) => announce(functionName, each, { definition, cause, now }));
  await mapLimited(announced, CONCURRENT_WRITES, (event) => runtime.bus.publish(event));
  await runtime.checkpoint?.("published", functionName);
  return { wrote, announced };
}

/** Owners first, so that those who belong to them can name their uid. */
async function writeAll(writes: readonly Write[], context: CommitContext): Promise<readonly string[]> {
  const { kube } = context.runtime;
  const written = new Map<string, KubeObject>();
  const one = async (write: Write) => {
    const object = await withOwner(write, written, kube);
    const result = await writeOne({ ...write, object }, kube, context.functionName);
    const subject = subjectOf(write.kind, object.metadata);
    if (result) written.set(subject, result);
    return `${write.verb} ${subject}`;
  };
  const owned = (write: Write) => write.owner !== undefined;
  const first = await mapLimited(
    writes.filter((write) => !owned(write)),
    CONCURRENT_WRITES,
    one,
  );
  const second = await mapLimited(writes.filter(owned), CONCURRENT_WRITES, one);
  return [...first, ...second];
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
      await kube.remove(kind, object);
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
  if (uid === undefined) return object;
  const reference: OwnerReference = {
    apiVersion: apiVersionOf(owner.kind),
    kind: owner.kind.kind,
    name: owner.name,
    uid,
  };
  return { ...object, metadata: { ...object.metadata, ownerReferences: [reference] } };
}
