import { Failure } from "../errors.ts";
import type { Event, ExtensionValue } from "../event.ts";

/** Attributes as they came off the wire: strings from headers, JSON values from a structured event; no data. */
export type RawAttributes = Readonly<Record<string, unknown>>;

const REQUIRED = ["specversion", "id", "source", "type"] as const;

/** Attributes of the specification: always strings. */
const CORE: ReadonlySet<string> = new Set([...REQUIRED, "subject", "time", "datacontenttype", "dataschema"]);

/** Extensions that `Event` has by name; another type than string is turned into its canonical string. */
const NAMED: ReadonlySet<string> = new Set([
  "partitionkey",
  "correlationid",
  "causationid",
  "traceparent",
  "tracestate",
  "operator",
]);

const NAME = /^[a-z0-9]{1,64}$/;
const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,12})?(?:[Zz]|[+-]\d\d:\d\d)$/;
const MAX_VALUE = 4096;
const MAX_EXTENSIONS = 64;
const MAX_INT = 2 ** 31;

/**
 * Builds an event from attributes and data by the rules of CloudEvents 1.0 §3 (names, types, required attributes).
 * Fails with `Invalid`, naming the attribute. `null` means that an attribute is not set (JSON format §2.2).
 */
export function eventOf(attributes: RawAttributes, data: unknown): Event {
  checkVersion(attributes["specversion"]);
  const event: Record<string, unknown> = {};
  const extensions: Record<string, ExtensionValue> = {};
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== null && value !== undefined) setAttribute(event, extensions, { name, value });
  }
  checkRequired(event);
  const count = Object.keys(extensions).length;
  if (count > MAX_EXTENSIONS) throw invalid(`${count} extension attributes, more than ${MAX_EXTENSIONS}`);
  if (count > 0) event["extensions"] = extensions;
  event["data"] = data;
  return event as unknown as Event;
}

function setAttribute(
  event: Record<string, unknown>,
  extensions: Record<string, ExtensionValue>,
  { name, value }: { readonly name: string; readonly value: unknown },
): void {
  if (CORE.has(name)) event[name] = coreValue(name, value);
  else if (NAMED.has(name)) event[name] = String(extensionValue(name, value));
  else extensions[name] = extensionValue(name, value);
}

/** A `Failure` that says what is wrong with a CloudEvent. */
export function invalid(problem: string, cause?: unknown): Failure {
  return new Failure("Invalid", `not a valid CloudEvent: ${problem}`, cause === undefined ? {} : { cause });
}

function checkVersion(version: unknown): void {
  if (version === "1.0") return;
  if (version === undefined || version === null) throw invalid("attribute specversion is missing; send 1.0");
  throw invalid(`attribute specversion is ${short(version)}; only 1.0 is understood`);
}

function checkRequired(event: Readonly<Record<string, unknown>>): void {
  for (const name of REQUIRED) {
    if (event[name] === undefined) throw invalid(`attribute ${name} is missing`);
  }
  const time = event["time"];
  if (time !== undefined && !isTime(time as string)) throw invalid(`attribute time is ${short(time)}, not RFC 3339`);
}

function isTime(text: string): boolean {
  return RFC3339.test(text) && !Number.isNaN(Date.parse(text));
}

function coreValue(name: string, value: unknown): string {
  if (typeof value !== "string") throw invalid(`attribute ${name} is ${short(value)}, not a string`);
  if (value === "") throw invalid(`attribute ${name} is empty`);
  return checkedText(name, value);
}

function extensionValue(name: string, value: unknown): ExtensionValue {
  if (!NAME.test(name) || name === "data") {
    throw invalid(`attribute name ${short(name)} is not made of 1 to 64 of a-z and 0-9, or is reserved`);
  }
  switch (typeof value) {
    case "string":
      return checkedText(name, value);
    case "boolean":
      return value;
    case "number":
      if (Number.isInteger(value) && value >= -MAX_INT && value < MAX_INT) return value;
  }
  throw invalid(`attribute ${name} is ${short(value)}, not a string, boolean or 32-bit integer`);
}

function checkedText(name: string, value: string): string {
  if (value.length > MAX_VALUE) throw invalid(`attribute ${name} has more than ${MAX_VALUE} characters`);
  if (/\p{Cc}/u.test(value) || !value.isWellFormed()) {
    throw invalid(`attribute ${name} holds control characters or broken Unicode`);
  }
  return value;
}

function short(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : Array.isArray(value) ? "a list" : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
