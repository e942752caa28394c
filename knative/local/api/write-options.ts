import type { Call } from "./call.ts";
import { badRequest, failure } from "./errors.ts";

/** What the query of a write says. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly manager: string;
  readonly force: boolean;
  readonly validation: "Ignore" | "Warn" | "Strict";
}

const validations = new Set(["Ignore", "Warn", "Strict"]);

/** Reads dryRun, fieldManager, force and fieldValidation. Throws 400 and 422. */
export function writeOptions(call: Call): WriteOptions {
  const { query } = call;
  const dryRun = query.getAll("dryRun").filter((value) => value !== "");
  if (dryRun.some((value) => value !== "All"))
    throw optionError(call, { field: "dryRun", value: dryRun.join(","), supported: '"All"' });
  const validation = query.get("fieldValidation") || "Warn";
  if (!validations.has(validation))
    throw optionError(call, { field: "fieldValidation", value: validation, supported: '"Ignore", "Strict", "Warn"' });
  return {
    dryRun: dryRun.length > 0,
    manager: managerOf(call),
    force: query.get("force") === "true" || query.get("force") === "1",
    validation: validation as WriteOptions["validation"],
  };
}

const managerLimit = 128;

function managerOf(call: Call): string {
  const named = call.query.get("fieldManager") ?? "";
  if (named.length > managerLimit)
    throw badRequest(`fieldManager is too long: may not be more than ${managerLimit} bytes`);
  // Without a name the real server takes the first part of the client's user agent.
  return named || (call.request.headers["user-agent"] ?? "unknown").split("/")[0]?.slice(0, managerLimit) || "unknown";
}

const optionKinds: Readonly<Record<string, string>> = {
  POST: "CreateOptions",
  PUT: "UpdateOptions",
  PATCH: "PatchOptions",
};

function optionError(call: Call, wrong: { field: string; value: string; supported: string }): Error {
  const { field, value, supported } = wrong;
  const kind = optionKinds[call.method] ?? "DeleteOptions";
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`;
  return failure({
    code: 422,
    reason: "Invalid",
    message: `${kind}.meta.k8s.io "" is invalid: ${field}: ${message}`,
    details: { kind, group: "meta.k8s.io", causes: [{ reason: "FieldValueNotSupported", message, field }] },
  });
}
