import { Script } from "node:vm";
import { Ajv, type Options } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** Versions of JSON Schema that are known here; those before draft 6 are not. */
export type SchemaDraft = "draft-07" | "2019-09" | "2020-12";

/** What holding a value against a schema came to; `place` is a JSON pointer. */
export type SchemaVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly fault: "schema" | "value" | "reference" | "limit"; readonly message: string };

/** Time for reading a schema and for checking by it, together. */
const MAX_MS = 1_000;

const OPTIONS: Options = { strict: false, inlineRefs: false, validateSchema: true, logger: false, messages: true };

/** Runs what it is given under a watchdog: only code that is started through `vm` can be stopped while it computes. */
const WATCHED = new Script("run()");

/**
 * Holds a value against a schema that somebody sent: nothing is fetched, and whoever makes a schema that takes more
 * than a second (patterns and references can) gets `limit`.
 */
export function checkBySchema(schema: object | boolean, value: unknown, draft: SchemaDraft): SchemaVerdict {
  try {
    const run = () => verdictOf(schema, value, draft);
    return WATCHED.runInNewContext({ run }, { timeout: MAX_MS, breakOnSigint: false }) as SchemaVerdict;
  } catch (error) {
    return { ok: false, ...faultOf(error) };
  }
}

function verdictOf(schema: object | boolean, value: unknown, draft: SchemaDraft): SchemaVerdict {
  const ajv = open(draft);
  const known = typeof schema === "boolean" ? schema : withoutDraft(schema);
  if (ajv.validateSchema(known) !== true) {
    return { ok: false, fault: "schema", message: ajv.errorsText(ajv.errors, { dataVar: "schema" }) };
  }
  const validate = ajv.compile(known);
  if ("$async" in validate) return { ok: false, fault: "schema", message: "$async is no word of JSON Schema" };
  if (validate(value)) return { ok: true };
  return { ok: false, fault: "value", message: ajv.errorsText(validate.errors, { dataVar: "" }) };
}

function open(draft: SchemaDraft): Ajv {
  if (draft === "2020-12") return new Ajv2020({ ...OPTIONS, validateFormats: false });
  if (draft === "2019-09") return new Ajv2019({ ...OPTIONS, validateFormats: false });
  // Of these drafts the oldest alone makes formats rules; the newer ones make them remarks.
  const ajv = new Ajv(OPTIONS);
  addFormats.default(ajv);
  return ajv;
}

/** The draft is chosen already, and some of its names (`http://json-schema.org/schema#`) are no schema's address. */
function withoutDraft(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== "$schema"));
}

function faultOf(error: unknown): Omit<Extract<SchemaVerdict, { ok: false }>, "ok"> {
  if (error instanceof RangeError) return { fault: "limit", message: "it is nested too deeply" };
  // The watchdog's error is made by the other context, so that it is no Error of ours.
  const { code, missingRef, message } = error as { code?: unknown; missingRef?: unknown; message?: unknown };
  if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return { fault: "limit", message: `it takes more than ${MAX_MS} ms` };
  if (typeof missingRef === "string") return { fault: "reference", message: missingRef };
  return { fault: "schema", message: String(message) };
}
