/**
 * How far a text is read. `doubtful` is set, and reading stops, where the text is not of the plain shape that Helm
 * writes: a YAML library has to decide then.
 */
export interface Cursor {
  readonly text: string;
  at: number;
  doubtful: boolean;
}

/** Single values of YAML as Helm writes them: plain, quoted and literal text, also over several lines. */
type Scalar = string | number | boolean | null;

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const PIPE = 0x7c;

/** Reads the value at the cursor, which ends with its line; lines that go on are indented more than `parent`. */
export function readScalar(cursor: Cursor, parent: number): Scalar {
  switch (cursor.text.charCodeAt(cursor.at)) {
    case QUOTE:
      return readQuoted(cursor, parent, DOUBLE);
    case APOSTROPHE:
      return readQuoted(cursor, parent, SINGLE);
    case PIPE:
      return readLiteral(cursor, parent);
    default:
      return readPlain(cursor, parent);
  }
}

/** Stops reading. */
export function doubt(cursor: Cursor): null {
  cursor.doubtful = true;
  return null;
}

/** Spaces from `at` on. */
export function spacesAt(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === 0x20) end++;
  return end - at;
}

/** Where the line after the one at `at` starts. */
export function nextLine(text: string, at: number): number {
  return text.indexOf("\n", at) + 1;
}

/** The line that goes on with a value, or `undefined` where the value is over: `blanks` empty lines come before it. */
function continuation(text: string, from: number, parent: number) {
  let blanks = 0;
  for (let at = from; at < text.length; at = nextLine(text, at)) {
    const start = at + spacesAt(text, at);
    if (text.charCodeAt(start) === 0x0a) blanks++;
    else return start - at > parent ? { start, blanks } : undefined;
  }
  return undefined;
}

const PLAIN_START = /^[A-Za-z0-9._/(+=~^$\u00c0-\ud7ff-]/;

function readPlain(cursor: Cursor, parent: number): Scalar {
  const { text } = cursor;
  let end = text.indexOf("\n", cursor.at);
  let value = text.slice(cursor.at, end).trimEnd();
  if (!PLAIN_START.test(value) || value.startsWith("- ") || isStructure(value)) return doubt(cursor);
  for (let next = continuation(text, end + 1, parent); next; next = continuation(text, end + 1, parent)) {
    end = text.indexOf("\n", next.start);
    const line = text.slice(next.start, end).trimEnd();
    if (line.startsWith("#") || isStructure(line)) return doubt(cursor);
    value += (next.blanks > 0 ? "\n".repeat(next.blanks) : " ") + line;
  }
  cursor.at = end + 1;
  return resolvePlain(cursor, value);
}

function isStructure(line: string): boolean {
  return line.includes(": ") || line.includes(" #") || line.endsWith(":");
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
  ...["null", "Null", "NULL", "~"].map((word) => [word, null] as const),
]);

/** What one of YAML's many forms of numbers may be: decimal, with an exponent, binary, octal, hexadecimal, not finite. */
const MAY_BE_NUMBER = /^[-+]?(?:[\d._]*(?:e[-+]?[\d_]*)?|0b[01_]*|0o[0-7_]*|0x[\da-f_]*|\.(?:inf|nan))$/i;
const SIMPLE_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
/** Versions look like numbers but for this. */
const TWO_POINTS = /\..*\./;

function resolvePlain(cursor: Cursor, value: string): Scalar {
  const word = value.length < 6 ? WORDS.get(value) : undefined;
  if (word !== undefined) return word;
  if (!MAY_BE_NUMBER.test(value) || TWO_POINTS.test(value)) return value;
  return SIMPLE_NUMBER.test(value) ? Number(value) : doubt(cursor);
}

/** How a kind of quotes ends and what stands for other characters in it. */
interface Quotes {
  /** Where the closing quote is, -1 where there is none. */
  close(text: string, from: number): number;
  /** Whether a line that goes on ends with the sign that no space belongs in between. */
  joins(line: string): boolean;
  unescape(cursor: Cursor, text: string): string | null;
}

const SINGLE: Quotes = {
  close(text, from) {
    let at = text.indexOf("'", from);
    while (at >= 0 && text.charCodeAt(at + 1) === APOSTROPHE) at = text.indexOf("'", at + 2);
    return at;
  },
  joins: () => false,
  unescape: (_, text) => text.replaceAll("''", "'"),
};

const DOUBLE: Quotes = {
  close(text, from) {
    let at = text.indexOf('"', from);
    while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
    return at;
  },
  joins: (line) => line.endsWith("\\") && isEscaped(line, line.length),
  unescape: (cursor, text) => (text.includes("\\") ? unescapeDouble(cursor, text) : text),
};

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === 0x5c) first--;
  return (at - first) % 2 === 1;
}

function readQuoted(cursor: Cursor, parent: number, quotes: Quotes): Scalar {
  const { text } = cursor;
  const start = cursor.at + 1;
  const close = quotes.close(text, start);
  const end = close < 0 ? -1 : close + 1 + spacesAt(text, close + 1);
  if (close < 0 || text.charCodeAt(end) !== 0x0a) return doubt(cursor);
  cursor.at = end + 1;
  const raw = text.slice(start, close);
  const folded = raw.includes("\n") ? foldQuoted(raw, parent, quotes) : raw;
  return folded === undefined ? doubt(cursor) : quotes.unescape(cursor, folded);
}

/** Line breaks become spaces, empty lines become line breaks; `undefined` where that is not certain. */
function foldQuoted(raw: string, parent: number, quotes: Quotes): string | undefined {
  const [first = "", ...rest] = raw.split("\n");
  const parts: string[] = [];
  let last = first;
  for (const { content, spaces, blanks } of contentLines(rest)) {
    const folded = spaces > parent ? foldBreak(last, blanks, quotes) : undefined;
    if (folded === undefined) return undefined;
    parts.push(folded);
    last = content;
  }
  return parts.join("") + last;
}

/** A line and what its line break becomes. */
function foldBreak(line: string, blanks: number, { joins }: Quotes): string | undefined {
  const trimmed = line.trimEnd();
  if (!joins(trimmed)) return trimmed + (blanks > 0 ? "\n".repeat(blanks) : " ");
  // An escaped space before the break, or empty lines after a joined one, are left to the library.
  return blanks > 0 || trimmed !== line ? undefined : trimmed.slice(0, -1);
}

/** Lines with the number of empty ones before them; the last line is the closing quote's and counts even if empty. */
function contentLines(lines: readonly string[]) {
  const found: { content: string; spaces: number; blanks: number }[] = [];
  let blanks = 0;
  for (const [number, line] of lines.entries()) {
    const content = line.trimStart();
    if (content === "" && number < lines.length - 1) blanks++;
    else {
      found.push({ content, spaces: line.length - content.length, blanks });
      blanks = 0;
    }
  }
  return found;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  '"': '"',
  "\\": "\\",
  "/": "/",
  " ": " ",
  "0": "\0",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  v: "\v",
};

function unescapeDouble(cursor: Cursor, text: string): string | null {
  let result = "";
  let from = 0;
  for (let at = text.indexOf("\\"); at >= 0; at = text.indexOf("\\", from)) {
    const escaped = ESCAPES[text.charAt(at + 1)] ?? unicodeEscape(text, at);
    if (escaped === undefined) return doubt(cursor);
    result += text.slice(from, at) + escaped;
    from = at + (text.charAt(at + 1) === "u" ? 6 : 2);
  }
  return result + text.slice(from);
}

function unicodeEscape(text: string, at: number): string | undefined {
  const digits = text.slice(at + 2, at + 6);
  return text.charAt(at + 1) === "u" && /^[0-9a-fA-F]{4}$/.test(digits)
    ? String.fromCharCode(Number.parseInt(digits, 16))
    : undefined;
}

function readLiteral(cursor: Cursor, parent: number): Scalar {
  const { text } = cursor;
  const end = nextLine(text, cursor.at);
  const header = text.slice(cursor.at, end).trimEnd();
  const first = continuation(text, end, parent);
  if (!first || !["|", "|-", "|+"].includes(header)) return doubt(cursor);
  cursor.at = end;
  const indent = first.start - text.lastIndexOf("\n", first.start) - 1;
  const content = literalLines(cursor, indent);
  if (content === undefined) return doubt(cursor);
  if (header === "|+") return content;
  const body = content.replace(/\n+$/, "");
  return header === "|" ? `${body}\n` : body;
}

/** The lines at the cursor that belong to a literal text, without their indentation. */
function literalLines(cursor: Cursor, indent: number): string | undefined {
  const { text } = cursor;
  let content = "";
  for (let at = cursor.at; at < text.length; cursor.at = at) {
    const next = nextLine(text, at);
    const spaces = spacesAt(text, at);
    const blank = at + spaces + 1 === next;
    if (!blank && spaces < indent) break;
    // Only an empty line that is longer than the text's indentation has spaces of its own; at the start it is an error.
    if (blank && spaces > indent && content.trim() === "") return undefined;
    content += blank && spaces <= indent ? "\n" : text.slice(at + indent, next);
    at = next;
  }
  return content;
}
