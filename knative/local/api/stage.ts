import { createHash } from "node:crypto";
import { type KubeObject, parseObject } from "./object.ts";
import { replaceObject } from "./objects.ts";
import { canonical, type Json } from "./schema/json.ts";
import { stagedResources, stagedStatus } from "./stage-status.ts";
import type { Entry } from "./storage.ts";
import { idOf, keyOf } from "./storage-key.ts";
import type { Backend } from "./target.ts";
import { startWorker, type Worker } from "./worker.ts";

/**
 * Plays the part of controllers and nodes: marks workloads ready (or failed, by annotation) some time after
 * they were written. Nothing runs; only their status says so.
 */
export function startStage(backend: Backend, delayMs: number, report: (item: string, error: unknown) => void): Worker {
  // Remembers what was staged, so that a status somebody else writes later is left alone.
  const staged = new Map<string, string>();
  const worker = startWorker(async (key) => {
    await stageEntry(backend, staged, key);
    return undefined;
  }, report);
  const notice = (entry: Entry): void => {
    const object = parseObject(entry.text);
    if (staged.get(keyOf(entry)) !== specMark(object)) worker.add(keyOf(entry), delayMs);
  };
  const stops = stagedResources.map((resource) =>
    backend.storage.subscribe(resource, ({ type, entry }) => {
      if (type === "DELETED") staged.delete(keyOf(entry));
      else notice(entry);
    }),
  );
  for (const resource of stagedResources) for (const entry of backend.storage.list(resource)) notice(entry);
  return {
    add: worker.add,
    stop: () => {
      for (const stop of stops) stop();
      return worker.stop();
    },
  };
}

async function stageEntry(backend: Backend, staged: Map<string, string>, key: string): Promise<void> {
  const id = idOf(key);
  const entry = id === undefined ? undefined : backend.storage.get(id);
  if (entry === undefined) return;
  const object = parseObject(entry.text);
  const mark = specMark(object);
  if (object.metadata.deletionTimestamp !== undefined || staged.get(key) === mark) return;
  const status = stagedStatus(object);
  staged.set(key, mark);
  if (status === undefined || isDone(object, status)) return;
  try {
    await replaceObject(backend, entry, { ...object, status: status as Json });
  } catch (error) {
    staged.delete(key);
    throw error;
  }
}

// A status belongs to one state of the object: its spec and the annotation that makes it fail.
function specMark(object: KubeObject): string {
  const { annotations = {}, uid = "" } = object.metadata;
  const text = canonical([uid, object["spec"] ?? null, annotations]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

// After a restart the stage finds objects that it brought to their end before.
function isDone(object: KubeObject, status: Json): boolean {
  return canonical(timeless(object["status"] ?? null)) === canonical(timeless(status));
}

function timeless(value: Json): Json {
  return JSON.parse(
    JSON.stringify(value, (key, member: unknown) =>
      /Time$|At$|^conditions$/u.test(key) && typeof member === "string" ? "" : member,
    ),
  ) as Json;
}
