import { instancesFinalizer } from "./definitions.ts";
import { deleteEntry } from "./delete.ts";
import { isTerminating, namespacesResource } from "./namespaces.ts";
import { type KubeObject, parseObject } from "./object.ts";
import { removeObject, replaceObject } from "./objects.ts";
import { definitionsResource } from "./registry.ts";
import { at, listOf, textOf } from "./schema/json.ts";
import { type Change, type Entry, resourceKey } from "./storage.ts";
import type { Backend } from "./target.ts";
import { nothingHolds } from "./update.ts";
import { startWorker, type Worker } from "./worker.ts";

const accountsResource = resourceKey("", "serviceaccounts");
const recheckMs = 200;

/**
 * Takes the content along when a namespace or a definition is deleted, then lets it go. Content with
 * finalizers of its own is waited for.
 */
export function startContentRemover(backend: Backend, report: (item: string, error: unknown) => void): Worker {
  const worker = startWorker((item) => remove(backend, item), report);
  const notice = ({ type, entry }: Pick<Change, "type" | "entry">): void => {
    if (type === "DELETED") return;
    if (entry.resource === namespacesResource && isTerminating(parseObject(entry.text)))
      worker.add(`namespace ${entry.name}`);
    if (entry.resource === definitionsResource && isDeleted(entry)) worker.add(`definition ${entry.name}`);
  };
  const stops = [namespacesResource, definitionsResource].map((resource) =>
    backend.storage.subscribe(resource, notice),
  );
  for (const resource of [namespacesResource, definitionsResource]) {
    for (const entry of backend.storage.list(resource)) notice({ type: "ADDED", entry });
  }
  return {
    add: worker.add,
    stop: () => {
      for (const stop of stops) stop();
      return worker.stop();
    },
  };
}

function isDeleted(entry: Entry): boolean {
  return parseObject(entry.text).metadata.deletionTimestamp !== undefined;
}

function remove(backend: Backend, item: string): Promise<number | undefined> {
  const [what, name = ""] = item.split(" ");
  return what === "namespace" ? emptyNamespace(backend, name) : emptyDefinition(backend, name);
}

async function emptyNamespace(backend: Backend, name: string): Promise<number | undefined> {
  const namespace = backend.storage.get({ resource: namespacesResource, namespace: "", name });
  if (namespace === undefined || !isTerminating(parseObject(namespace.text))) return undefined;
  const resources = new Set(
    backend.registry
      .kinds()
      .filter((kind) => kind.namespaced)
      .map((kind) => resourceKey(kind.group, kind.plural)),
  );
  let left = 0;
  for (const resource of resources) left += await deleteAll(backend, backend.storage.list(resource, name));
  if (left > 0) return recheckMs;
  await letGo(backend, namespace, (object) => ({ ...object, spec: { ...(object["spec"] as object), finalizers: [] } }));
  return undefined;
}

async function emptyDefinition(backend: Backend, name: string): Promise<number | undefined> {
  const entry = backend.storage.get({ resource: definitionsResource, namespace: "", name });
  if (entry === undefined || !isDeleted(entry)) return undefined;
  const spec = parseObject(entry.text)["spec"];
  const resource = resourceKey(textOf(at(spec, "group")), textOf(at(spec, "names", "plural")));
  if ((await deleteAll(backend, backend.storage.list(resource))) > 0) return recheckMs;
  await letGo(backend, entry, (object) => {
    const finalizers = listOf(object.metadata.finalizers)
      .map(textOf)
      .filter((one) => one !== instancesFinalizer);
    const { finalizers: _, ...metadata } = object.metadata;
    return { ...object, metadata: finalizers.length === 0 ? metadata : { ...metadata, finalizers } };
  });
  return undefined;
}

/** Deletes entries and counts those that stay, held by finalizers. */
async function deleteAll(backend: Backend, entries: readonly Entry[]): Promise<number> {
  const options = { dryRun: false, propagation: "Background" } as const;
  let left = 0;
  for (const entry of entries) {
    const kind = backend.registry.ofResource(entry.resource);
    if (kind === undefined) continue;
    if ((await deleteEntry(backend, { kind, options }, entry)) !== undefined) left += 1;
  }
  return left;
}

async function letGo(backend: Backend, entry: Entry, change: (object: KubeObject) => KubeObject): Promise<void> {
  const current = backend.storage.get(entry);
  if (current === undefined) return;
  const object = change(parseObject(current.text));
  if (nothingHolds(object)) await removeObject(backend, current);
  else await replaceObject(backend, current, object);
}

/** Gives every namespace its default ServiceAccount, now and whenever one is missing. */
export function startAccountKeeper(
  backend: Backend,
  create: (namespace: string) => Promise<void>,
  report: (item: string, error: unknown) => void,
): Worker {
  const { storage } = backend;
  const worker = startWorker(async (name) => {
    const namespace = storage.get({ resource: namespacesResource, namespace: "", name });
    if (namespace === undefined || isTerminating(parseObject(namespace.text))) return undefined;
    if (storage.get({ resource: accountsResource, namespace: name, name: "default" }) === undefined) await create(name);
    return undefined;
  }, report);
  const stops = [
    storage.subscribe(namespacesResource, ({ entry }) => worker.add(entry.name)),
    storage.subscribe(accountsResource, ({ type, entry }) => type === "DELETED" && worker.add(entry.namespace)),
  ];
  for (const entry of storage.list(namespacesResource)) worker.add(entry.name);
  return {
    add: worker.add,
    stop: () => {
      for (const stop of stops) stop();
      return worker.stop();
    },
  };
}
