import { compileRule, usesOldSelf } from "./cel-rules.ts";
import { child, invalid, notSupported, required } from "./field-errors.ts";
import { at, isObject, type Json, type JsonObject, listOf, textOf } from "./json.ts";
import type { FieldError } from "./validate.ts";

const REASONS = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];
const MAX_MESSAGE = 2048;

/** Where rules stand, and whether what was stored in their place can be told. */
export interface RulePlace {
  readonly path: string;
  readonly correlated: boolean;
}

/** What is wrong with the CEL rules of a schema node: rules that do not compile or cannot apply, broken messages. */
export function celErrors(place: RulePlace, node: JsonObject): readonly FieldError[] {
  return listOf(node["x-kubernetes-validations"]).flatMap((rule, index) => {
    const path = `${place.path}.x-kubernetes-validations[${index}]`;
    if (!isObject(rule)) return [invalid(path, rule, "must be an object with a rule")];
    return [...expressionErrors(rule, path, place), ...messageErrors(rule, path), ...targetErrors(rule, path, node)];
  });
}

function expressionErrors(rule: JsonObject, path: string, place: RulePlace): readonly FieldError[] {
  const source = textOf(rule["rule"]);
  const field = child(path, "rule");
  if (source.trim() === "") return [required(field, "rule is not specified")];
  const compiled = compileRule(source);
  if ("error" in compiled) return [invalid(field, rule, `compilation failed: ERROR: <input>: ${compiled.error}`)];
  if (compiled.type !== "bool" && compiled.type !== "dyn")
    return [invalid(field, rule, "cel expression must evaluate to a bool")];
  if (place.correlated || !usesOldSelf(source)) return [];
  const schema = place.path.replace(/\.items(\..*)?$/, "");
  return [
    invalid(field, source, `oldSelf cannot be used on the uncorrelatable portion of the schema within ${schema}`),
  ];
}

function messageErrors(rule: JsonObject, path: string): readonly FieldError[] {
  const message = rule["message"];
  const field = child(path, "message");
  const source = textOf(rule["messageExpression"]);
  const own =
    typeof message === "string" ? textProblems(message).map((problem) => invalid(field, message, problem)) : [];
  if (source === "") return own;
  const compiled = compileRule(source);
  const expression = child(path, "messageExpression");
  if ("error" in compiled)
    return [
      ...own,
      invalid(expression, rule, `messageExpression compilation failed: ERROR: <input>: ${compiled.error}`),
    ];
  const fits = compiled.type === "string" || compiled.type === "dyn";
  return fits ? own : [...own, invalid(expression, rule, "messageExpression must evaluate to a string")];
}

function textProblems(message: string): readonly string[] {
  if (message !== "" && message.trim() === "") return ["message must be non-empty if specified"];
  if (/[\r\n]/.test(message.trim())) return ["must not contain line breaks"];
  return message.length > MAX_MESSAGE ? [`must be no more than ${MAX_MESSAGE} characters`] : [];
}

function targetErrors(rule: JsonObject, path: string, node: JsonObject): readonly FieldError[] {
  const reason = rule["reason"];
  const target = rule["fieldPath"];
  const wrong = reason !== undefined && !REASONS.includes(String(reason));
  const lost = typeof target === "string" && !leadsSomewhere(node, target);
  return [
    ...(wrong ? [notSupported(child(path, "reason"), reason, REASONS)] : []),
    ...(lost ? [invalid(child(path, "fieldPath"), target, "must be a valid path")] : []),
  ];
}

/** True when a path (.spec.a['b']) names fields that the node declares. */
function leadsSomewhere(node: JsonObject, path: string): boolean {
  const steps = [...path.matchAll(/\.([A-Za-z_][A-Za-z0-9_]*)|\['([^']+)'\]/g)];
  if (steps.length === 0 || steps.map(([step]) => step).join("") !== path) return false;
  return (
    steps.reduce<Json | undefined>((current, [, name = "", key = name]) => memberNode(current, key), node) !== undefined
  );
}

function memberNode(node: Json | undefined, key: string): Json | undefined {
  const property = at(node, "properties", key);
  const values = at(node, "additionalProperties");
  if (isObject(property)) return property;
  return isObject(values) ? values : undefined;
}
