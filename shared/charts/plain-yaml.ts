import { type Cursor, doubt, nextLine, readScalar, spacesAt } from "./plain-scalars.ts";

const NEWLINE = 0x0a;
const SPACE = 0x20;
const DASH = 0x2d;
const COLON = 0x3a;

/** Characters that names of fields consist of; the first is a letter, so that no key is taken for a number. */
const KEY_CHARACTERS = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-") {
  KEY_CHARACTERS[character.charCodeAt(0)] = 1;
}

/** Keys that YAML takes for other values, or that JavaScript takes for other things. */
const SPECIAL_KEYS: ReadonlySet<string> = new Set(["true", "false", "null", "constructor", "prototype"]);

/** A key of the plain shape at the cursor, which then is behind its colon; "" where there is none. */
export function readKey(cursor: Cursor): string {
  const { text, at } = cursor;
  let end = at;
  while (KEY_CHARACTERS[text.charCodeAt(end)] === 1) end++;
  const behind = text.charCodeAt(end + 1);
  if (text.charCodeAt(end) !== COLON || (behind !== SPACE && behind !== NEWLINE)) return "";
  const key = text.slice(at, end);
  if (!/^[A-Za-z]/.test(key) || (key.length < 12 && SPECIAL_KEYS.has(key.toLowerCase()))) return "";
  cursor.at = end + 1;
  return key;
}

/** Reads the value behind a key's colon; `indent` is where the key stands. */
export function readValue(cursor: Cursor, indent: number): unknown {
  const { text } = cursor;
  const start = cursor.at + spacesAt(text, cursor.at);
  if (text.charCodeAt(start) !== NEWLINE) return readInline(cursor, start, indent);
  cursor.at = start + 1;
  const inner = structureIndent(cursor);
  if (isDash(text, cursor.at + inner)) return inner < indent ? null : readSequence(cursor, inner);
  return inner > indent ? readMapping(cursor, inner) : null;
}

/** Skips empty lines and tells how far the next one is indented, -1 at the end. */
export function structureIndent(cursor: Cursor): number {
  const { text } = cursor;
  while (cursor.at < text.length) {
    const spaces = spacesAt(text, cursor.at);
    if (text.charCodeAt(cursor.at + spaces) !== NEWLINE) return spaces;
    cursor.at += spaces + 1;
  }
  return -1;
}

/** Whether an item of a list starts here. */
export function isDash(text: string, at: number): boolean {
  const behind = text.charCodeAt(at + 1);
  return text.charCodeAt(at) === DASH && (behind === SPACE || behind === NEWLINE);
}

function readInline(cursor: Cursor, start: number, indent: number): unknown {
  const { text } = cursor;
  cursor.at = start;
  const empty = text.startsWith("[]\n", start) ? [] : text.startsWith("{}\n", start) ? {} : undefined;
  if (empty === undefined) return readScalar(cursor, indent);
  cursor.at = nextLine(text, start);
  return empty;
}

function readMapping(cursor: Cursor, indent: number): Record<string, unknown> {
  cursor.at += indent;
  const mapping: Record<string, unknown> = {};
  for (;;) {
    const key = readKey(cursor);
    if (key === "" || Object.hasOwn(mapping, key)) {
      doubt(cursor);
      return mapping;
    }
    mapping[key] = readValue(cursor, indent);
    if (cursor.doubtful || !nextKey(cursor, indent)) return mapping;
  }
}

/** Goes to the next key of a mapping, if there is one; what stands elsewhere has to be right for an outer level. */
export function nextKey(cursor: Cursor, indent: number): boolean {
  const found = structureIndent(cursor);
  if (found > indent) doubt(cursor);
  if (found !== indent || isDash(cursor.text, cursor.at + indent)) return false;
  cursor.at += indent;
  return true;
}

function readSequence(cursor: Cursor, indent: number): unknown[] {
  const { text } = cursor;
  const items: unknown[] = [];
  for (let found = indent; found === indent && isDash(text, cursor.at + indent); found = structureIndent(cursor)) {
    items.push(readItem(cursor, indent));
    if (cursor.doubtful) return items;
  }
  if (structureIndent(cursor) > indent) doubt(cursor);
  return items;
}

function readItem(cursor: Cursor, indent: number): unknown {
  const { text } = cursor;
  const start = cursor.at + indent + 2;
  const first = text.charCodeAt(start - 1) === NEWLINE ? NEWLINE : text.charCodeAt(start);
  if (first === NEWLINE || first === SPACE || isDash(text, start)) return doubt(cursor);
  const at = cursor.at;
  cursor.at = start;
  if (readKey(cursor) === "") return readInline(cursor, start, indent);
  cursor.at = at;
  return readMapping(cursor, indent + 2);
}

/** Reads a whole text as one mapping of the plain shape; `undefined` where it is of another. */
export function readPlainMapping(text: string): Record<string, unknown> | undefined {
  const cursor: Cursor = { text, at: 0, doubtful: isUnusual(text) };
  const mapping = structureIndent(cursor) === 0 ? readMapping(cursor, 0) : {};
  return cursor.doubtful || cursor.at < text.length ? undefined : mapping;
}

/** Whether a text has what YAML forbids or gives a meaning of its own: control characters, tabs, byte order marks. */
export function isUnusual(text: string): boolean {
  return /[^\n\x20-\x7e\xa0-\ufefe\uff00-\ufffd]/.test(text);
}
