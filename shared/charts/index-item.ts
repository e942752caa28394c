import type { Cursor } from "./plain-scalars.ts";
import { isDash, isUnusual, nextKey, readKey, readValue } from "./plain-yaml.ts";

/** One field of an item, with the text it was read from. */
interface Field {
  readonly key: string;
  readonly text: string;
  readonly value: unknown;
}

/** Reads items of one chart in turn; `undefined` where an item is not of the plain shape and a library has to read it. */
export type ItemReader = (text: string, indent: number) => Record<string, unknown> | undefined;

const SPACE = 0x20;
const NEWLINE = 0x0a;
const DASH = 0x2d;

/**
 * Reads the versions of a chart out of an index. Most fields of a version are written as in the version before: those
 * are taken over (the same object) without reading them again.
 */
export function openItemReader(): ItemReader {
  let previous: readonly Field[] = [];
  return (text, indent) => {
    if (!isDash(text, indent) || text.charCodeAt(indent + 2) === SPACE) return undefined;
    const cursor: Cursor = { text, at: indent + 2, doubtful: false };
    const item: Record<string, unknown> = {};
    const fields = readFields(cursor, previous, item);
    if (cursor.doubtful || cursor.at !== text.length) return undefined;
    previous = fields;
    return item;
  };
}

/** Reads fields into `item`, as far as they are certain. */
function readFields(cursor: Cursor, previous: readonly Field[], item: Record<string, unknown>): readonly Field[] {
  const indent = cursor.at;
  const fields: Field[] = [];
  do {
    const field = repeated(cursor, indent, previous[fields.length]) ?? readField(cursor, indent);
    if (Object.hasOwn(item, field.key)) cursor.doubtful = true;
    item[field.key] = field.value;
    fields.push(field);
  } while (!cursor.doubtful && nextKey(cursor, indent));
  return fields;
}

/** The field of the item before, where the text goes on just like it and then with another field. */
function repeated(cursor: Cursor, indent: number, field: Field | undefined): Field | undefined {
  if (!field) return undefined;
  const end = cursor.at + field.text.length;
  // Comparing two strings is several times as fast as `startsWith`.
  if (cursor.text.slice(cursor.at, end) !== field.text) return undefined;
  if (end < cursor.text.length && !isKeyAt(cursor.text, end, indent)) return undefined;
  cursor.at = end;
  return field;
}

/** Whether another key of the same mapping comes next, so that what was before it is over. */
function isKeyAt(text: string, at: number, indent: number): boolean {
  for (let offset = 0; offset < indent; offset++) if (text.charCodeAt(at + offset) !== SPACE) return false;
  const first = text.charCodeAt(at + indent);
  return first !== SPACE && first !== NEWLINE && first !== DASH;
}

function readField(cursor: Cursor, indent: number): Field {
  const start = cursor.at;
  const key = readKey(cursor);
  const value = key === "" ? undefined : readValue(cursor, indent);
  const text = cursor.text.slice(start, cursor.at);
  if (key === "" || isUnusual(text)) cursor.doubtful = true;
  return { key, text, value };
}
