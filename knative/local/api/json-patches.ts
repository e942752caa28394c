import jsonPatch from "fast-json-patch";
import { badRequest, failure } from "./errors.ts";
import { entriesOf, isList, isObject, type Json, type JsonObject, type MutableObject } from "./schema/json.ts";

const operationLimit = 10_000;

/** Applies an RFC 6902 patch. Throws 400 for what is no patch, 413 for too many operations, 422 when it does not fit. */
export function applyJsonPatch(object: Json, patch: Json): Json {
  if (!isList(patch)) throw badRequest("a JSON patch is a list of operations");
  if (patch.length > operationLimit) {
    const message = `The allowed maximum operations in a JSON patch is ${operationLimit}, got ${patch.length}`;
    throw failure({ code: 413, reason: "RequestEntityTooLarge", message });
  }
  try {
    const operations = patch as unknown as Parameters<typeof jsonPatch.applyPatch>[1];
    return jsonPatch.applyPatch(structuredClone(object), operations, true).newDocument as Json;
  } catch (error) {
    const cause = (error as Error).message.split("\n")[0];
    const message = `the server rejected our request due to an error in our request: ${cause}`;
    throw failure({ code: 422, reason: "Invalid", message, details: {} });
  }
}

/** Applies an RFC 7386 merge patch. */
export function applyMergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged: MutableObject = { ...(isObject(target) ? target : {}) };
  for (const [key, value] of entriesOf(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = applyMergePatch((merged as JsonObject)[key], value);
  }
  return merged;
}
