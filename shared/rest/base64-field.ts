import { Failure } from "../errors.ts";

/** Which field of a JSON object is taken out, and how much all others may have. */
export interface LongField {
  readonly field: string;
  readonly maxRest: number;
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** What brackets and braces do to the depth. */
const DEEPER = new Map([
  [0x5b, 1],
  [0x7b, 1],
  [0x5d, -1],
  [0x7d, -1],
]);
/** Encoders write these in a base64 text with a backslash, or may. */
const ESCAPES: Readonly<Record<string, string>> = {
  "\\/": "/",
  "\\n": "",
  "\\r": "",
  "\\t": "",
  "\\u002b": "+",
  "\\u003d": "=",
};
const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|[^u])/g;
const UNFINISHED = /\\(?:u[0-9a-fA-F]{0,3})?$/;

/**
 * Reads a JSON object whose one field holds bytes in base64, as it arrives: the bytes go to `take`, so that they are
 * never held; the text that comes back is the object with that field empty. Without such a text in the object `take` is
 * not called. Fails with `Invalid` for what is no base64, with `TooLarge` for too much else, and as `take` does.
 */
export async function readBase64Field<T>(
  body: AsyncIterable<Uint8Array>,
  long: LongField,
  take: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<{ readonly text: string; readonly taken: T | undefined }> {
  const input = openInput(body);
  const find = valueFinder(long.field);
  const rest = limited(long);
  let taken: T | undefined;
  for (let chunk = await input.next(); chunk; chunk = await input.next()) {
    const at = find(chunk);
    rest.add(at === -1 ? chunk : chunk.subarray(0, at));
    if (at === -1) continue;
    if (taken !== undefined) throw new Failure("Invalid", `field ${long.field} stands there twice`);
    input.unread(chunk.subarray(at));
    taken = await takeValue(input, long.field, take);
    rest.add(Buffer.from('"'));
  }
  return { text: rest.text(), taken };
}

function limited({ field, maxRest }: LongField) {
  const parts: Uint8Array[] = [];
  let size = 0;
  return {
    add(part: Uint8Array) {
      size += part.length;
      if (size > maxRest) {
        throw new Failure("TooLarge", `the body has more than ${maxRest} bytes besides ${field}; send less`);
      }
      parts.push(part);
    },
    text: () => Buffer.concat(parts).toString("utf8"),
  };
}

interface Input {
  next(): Promise<Uint8Array | undefined>;
  /** Has `next` give these bytes first. */
  unread(bytes: Uint8Array): void;
}

function openInput(body: AsyncIterable<Uint8Array>): Input {
  const source = body[Symbol.asyncIterator]();
  let before: Uint8Array | undefined;
  return {
    async next() {
      const given = before ?? (await source.next()).value;
      before = undefined;
      return given as Uint8Array | undefined;
    },
    unread(bytes) {
      before = bytes;
    },
  };
}

/** Finds where the text of the field begins: the place behind its opening quote in this chunk, or -1. */
function valueFinder(field: string): (chunk: Uint8Array) => number {
  const name = Buffer.from(field);
  let [depth, inText, escaped, length, same] = [0, false, false, 0, true];
  let awaited: "colon" | "value" | undefined;
  const inside = (byte: number) => {
    if (!escaped && byte === QUOTE) {
      inText = false;
      awaited = depth === 1 && same && length === name.length ? "colon" : undefined;
      return;
    }
    same &&= !escaped && byte !== BACKSLASH && name[length] === byte;
    escaped = !escaped && byte === BACKSLASH;
    length += 1;
  };
  const outside = (byte: number): boolean => {
    if (SPACES.has(byte)) return false;
    const before = awaited;
    awaited = before === "colon" && byte === COLON ? "value" : undefined;
    depth += DEEPER.get(byte) ?? 0;
    if (byte !== QUOTE) return false;
    if (before === "value") return true;
    [inText, escaped, length, same] = [true, false, 0, true];
    return false;
  };
  return (chunk) => {
    for (const [at, byte] of chunk.entries()) {
      if (inText) inside(byte);
      else if (outside(byte)) return at + 1;
    }
    return -1;
  };
}

async function takeValue<T>(
  input: Input,
  field: string,
  take: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T | undefined> {
  const bytes = decoded(textUntilQuote(input), field);
  const first = await bytes.next();
  if (first.done) return undefined;
  return take(
    (async function* () {
      yield first.value;
      yield* bytes;
    })(),
  );
}

/** The text up to the closing quote, which is read too; no escape is cut in two. */
async function* textUntilQuote(input: Input): AsyncGenerator<string> {
  let carried = "";
  for (let chunk = await input.next(); chunk; chunk = await input.next()) {
    const end = chunk.indexOf(QUOTE);
    const part = carried + Buffer.from(end === -1 ? chunk : chunk.subarray(0, end)).toString("latin1");
    if (end !== -1) {
      input.unread(chunk.subarray(end + 1));
      yield part;
      return;
    }
    carried = UNFINISHED.exec(part)?.[0] ?? "";
    yield part.slice(0, part.length - carried.length);
  }
  throw new Failure("Invalid", "the body ends within a text");
}

async function* decoded(parts: AsyncIterable<string>, field: string): AsyncGenerator<Uint8Array> {
  let carried = "";
  let padded = false;
  for await (const part of parts) {
    const text = carried + plain(part);
    // What follows on the padding may only be more of it.
    if (!(padded ? /^=?$/ : /^[A-Za-z0-9+/]*={0,2}$/).test(text)) {
      throw new Failure("Invalid", `${field} is no base64`);
    }
    padded ||= text.endsWith("=");
    const whole = padded ? text.length : text.length - (text.length % 4);
    carried = text.slice(whole);
    yield* bytesOf(text.slice(0, whole));
  }
  yield* bytesOf(carried);
}

function bytesOf(text: string): readonly Uint8Array[] {
  return text === "" ? [] : [Buffer.from(text, "base64")];
}

function plain(part: string): string {
  const text = part.includes("\\") ? part.replaceAll(ESCAPE, (each) => ESCAPES[each.toLowerCase()] ?? "\\") : part;
  return /\s/.test(text) ? text.replaceAll(/\s+/g, "") : text;
}
