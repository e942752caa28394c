import { builtinErrors } from "./builtin-checks.ts";
import { hasLoops, hasRules, ruleErrors } from "./cel-rules.ts";
import { crdErrors } from "./crd-checks.ts";
import { invalid } from "./field-errors.ts";
import type { Json } from "./json.ts";
import type { KindInfo } from "./kinds.ts";
import { structureErrors } from "./list-checks.ts";
import { metadataErrors } from "./metadata-checks.ts";
import { surelyValid } from "./quick-check.ts";
import { valueErrors } from "./value-checks.ts";
import { within } from "./within.ts";

/**
 * One thing that is wrong with an object: where (spec.replicas), the machine's reason (FieldValueRequired ...) and the text that
 * follows the field in an answer's message ("field: message").
 */
export interface FieldError {
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

/** Errors after which rules are not tried: their values would not be what they expect. */
const BLOCKING = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);
const UNCHECKED =
  "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

/**
 * Everything that forbids an object to be stored; `old` is what is stored already when it is an update. Expects an object whose
 * unknown fields are pruned and whose defaults are set. An empty list means it may be stored.
 */
export function validateObject(kind: KindInfo, object: Json, old?: Json): readonly FieldError[] {
  const lenient = kind.origin === "builtin";
  const metadata = metadataErrors(kind, object, old);
  const spot = { path: "", lenient, depth: 0, old };
  const { schema } = kind;
  const values = schema === undefined || surelyValid(kind, object) ? [] : valueErrors(schema, object, spot);
  if (lenient) return [...metadata, ...values, ...builtinErrors(kind, object, old)];
  const errors = [...metadata, ...values, ...structureErrors(kind.schema, object, "")];
  if (errors.some((error) => BLOCKING.has(error.reason))) {
    return hasRules(kind.schema) ? [...errors, invalid("<nil>", null, UNCHECKED)] : errors;
  }
  return [...errors, ...ruleErrorsInTime(kind, object, old)];
}

const RULES_MS = 2_000;
const OUT_OF_BUDGET = "validation failed due to running out of cost budget, no further validation rules will be run";

// The real server counts steps; here rules that go through lists get a share of time, so that none can stop the server.
function ruleErrorsInTime(kind: KindInfo, object: Json, old: Json | undefined): readonly FieldError[] {
  const run = (): readonly FieldError[] => ruleErrors(kind.schema, { value: object, old, path: "" });
  if (!hasLoops(kind.schema)) return run();
  return within(RULES_MS, run) ?? [invalid("<nil>", null, OUT_OF_BUDGET)];
}

/** Everything that forbids a CustomResourceDefinition: names, versions, non-structural schemas, rules that do not compile. */
export function validateCrd(crd: Json): readonly FieldError[] {
  return crdErrors(crd);
}
