import { randomUUID } from "node:crypto";
import { admitCreate, admitting } from "./admission.ts";
import { writtenAnswer } from "./answers.ts";
import { decodeObject, readBody } from "./body.ts";
import type { Answer, Call } from "./call.ts";
import { alreadyExists, failure, forbidden, invalid } from "./errors.ts";
import { refuseEscalation } from "./escalation.ts";
import { checkObject, countsGenerations, fitted, generateName, objectFor } from "./incoming.ts";
import { requireNamespace } from "./namespaces.ts";
import { type KubeObject, timestamp } from "./object.ts";
import { insertObject } from "./objects.ts";
import { trackUpdate } from "./schema/managed-fields.ts";
import { WriteConflict } from "./storage.ts";
import { type Backend, idOf, subjectOf, type Target, type Written } from "./target.ts";
import { type WriteOptions, writeOptions } from "./write-options.ts";

/** Answers POST to a collection. */
export async function createObject(backend: Backend, target: Target, call: Call): Promise<Answer> {
  const options = writeOptions(call);
  const object = objectFor(target, decodeObject(await readBody(call.request)));
  refuseEscalation(backend, target, { user: call.user, object });
  const written = await createFrom(backend, { target, options, warnings: call.warnings }, object);
  return writtenAnswer(call, target.kind, { code: 201, written });
}

/** What a write knows about itself. */
export interface WriteContext {
  readonly target: Target;
  readonly options: WriteOptions;
  readonly warnings: string[];
}

/** Completes, checks and stores a new object; `applied` objects have their field managers already. */
export async function createFrom(
  backend: Backend,
  context: WriteContext & { readonly applied?: boolean },
  given: KubeObject,
): Promise<Written> {
  const { kind } = context.target;
  if (given.metadata.resourceVersion) throw alreadyStored();
  if (backend.registry.isTerminating(kind)) throw forbidden(subjectOf(kind, given.metadata.name ?? ""), terminating);
  startLife(context, given);
  const object = fitted(kind, given, context);
  requireNamespace(backend, kind, object.metadata);
  // What the server adds belongs to nobody.
  const managed = context.applied === true ? object : withManager(context, object);
  return admitting(backend, kind, async () => {
    const admitted = admitCreate(backend, kind, managed);
    checkObject(kind, admitted);
    return storeNew(backend, context, admitted);
  });
}

const terminating = "create not allowed while custom resource definition is terminating";

// The real server calls this an error of its own, without a reason.
function alreadyStored(): Error {
  return failure({ code: 500, message: "resourceVersion should not be set on objects to be created" });
}

function startLife({ target: { kind } }: WriteContext, object: KubeObject): void {
  const { metadata } = object;
  generateName(metadata);
  if (!metadata.name) {
    const message = "Required value: name or generateName is required";
    throw invalid(subjectOf(kind, ""), [{ reason: "FieldValueRequired", field: "metadata.name", message }]);
  }
  metadata.uid = randomUUID();
  metadata.creationTimestamp = timestamp();
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.generation;
  if (countsGenerations(kind)) metadata.generation = 1;
  if (kind.subresources.status) delete object["status"];
}

function withManager(context: WriteContext, object: KubeObject): KubeObject {
  const { kind } = context.target;
  const how = { manager: context.options.manager, force: false, time: timestamp() };
  return trackUpdate(kind, { before: undefined, after: object }, how) as KubeObject;
}

const nameAttempts = 8;

async function storeNew(backend: Backend, context: WriteContext, object: KubeObject): Promise<Written> {
  const { metadata } = object;
  for (let attempt = 1; ; attempt += 1) {
    const stored = await tryStore(backend, context, object);
    if (stored !== undefined) return stored;
    if (!metadata.generateName || attempt >= nameAttempts) {
      throw alreadyExists(subjectOf(context.target.kind, metadata.name));
    }
    metadata.name = "";
    generateName(metadata);
  }
}

/** Undefined when the name is taken. */
async function tryStore(
  backend: Backend,
  { target: { kind }, options }: WriteContext,
  object: KubeObject,
): Promise<Written | undefined> {
  const { namespace = "", name } = object.metadata;
  if (backend.storage.get(idOf(kind, namespace, name)) !== undefined) return undefined;
  if (options.dryRun) return { object, entry: undefined };
  try {
    return { object, entry: await insertObject(backend, kind, object) };
  } catch (error) {
    if (error instanceof WriteConflict) return undefined;
    throw error;
  }
}
