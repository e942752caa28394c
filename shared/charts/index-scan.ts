import type { TextWindow } from "./text-window.ts";

/** A chart as it stands in an index: the line with its name, and the list below it. */
export interface ChartBlock {
  readonly name: string;
  /** Valid until the window is moved. */
  readonly bytes: Buffer;
  /** Where its versions start. */
  readonly items: readonly number[];
  /** Spaces before the dash of each version. */
  readonly itemIndent: number;
  readonly lines: number;
}

/** Thrown where an index is not of the plain shape, so that it cannot be read chart by chart. */
export class UnusualShape extends Error {}

const NEWLINE = 0x0a;
const SPACE = 0x20;
const HASH = 0x23;
const DASH = 0x2d;

const MAX_HEAD_BYTES = 64 * 1024;
const MAX_NAME_BYTES = 1024;
const ENTRIES = Buffer.from("entries:\n");

/** Reads all up to `entries:`, which is taken too; what comes next is the first chart. */
export async function takeHead(window: TextWindow): Promise<string> {
  for (;;) {
    const bytes = window.bytes();
    const found = lineAt(bytes, ENTRIES);
    if (found >= 0) {
      const head = bytes.toString("utf8", 0, found);
      window.take(found + ENTRIES.length);
      return head;
    }
    if (bytes.length > MAX_HEAD_BYTES) throw new UnusualShape("no line is just `entries:`");
    if (!(await window.more())) throw new UnusualShape("no line is just `entries:`");
  }
}

function lineAt(bytes: Buffer, line: Buffer): number {
  if (bytes.subarray(0, line.length).equals(line)) return 0;
  const found = bytes.indexOf(`\n${line.toString()}`);
  return found < 0 ? -1 : found + 1;
}

/** Reads what follows the charts, without taking it. */
export async function readTail(window: TextWindow): Promise<string> {
  while (await window.more()) {
    if (window.bytes().length > MAX_HEAD_BYTES) throw new UnusualShape("much follows the entries");
  }
  return window.bytes().toString("utf8");
}

/** The name of the chart at the start of the window and its indentation; `undefined` behind the last chart. */
export async function chartAt(window: TextWindow): Promise<{ name: string; indent: number } | undefined> {
  while (window.bytes().indexOf(NEWLINE) < 0) {
    if (window.bytes().length > MAX_NAME_BYTES) throw new UnusualShape("a line is too long for a chart's name");
    if (!(await window.more())) return undefined;
  }
  const bytes = window.bytes();
  if (bytes[0] !== SPACE && bytes[0] !== HASH && bytes[0] !== NEWLINE) return undefined;
  const line = bytes.toString("latin1", 0, Math.min(bytes.indexOf(NEWLINE), MAX_NAME_BYTES));
  const [, spaces = "", name = ""] = /^( +)([A-Za-z0-9][\w.-]*):$/.exec(line) ?? [];
  if (!isPlainName(name)) throw new UnusualShape("a line in the place of a chart's name is none of the plain shape");
  return { name, indent: spaces.length };
}

/** Whether YAML takes a key for text as it stands, and nothing else. */
function isPlainName(name: string): boolean {
  return /^[A-Za-z]|^\d.*[g-np-wyz]/i.test(name) && !/^(?:true|false|null)$/i.test(name);
}

/** Whether a chart of these bytes at the window's start is followed by another chart or by the end of the entries. */
export async function endsAfter(window: TextWindow, length: number, indent: number): Promise<boolean> {
  while (window.bytes().length <= length + indent) {
    if (!(await window.more())) break;
  }
  const bytes = window.bytes();
  if (bytes.length <= length) return bytes.length === length;
  const spaces = spacesAt(bytes, length);
  const next = bytes[length + spaces];
  return (spaces === 0 || spaces === indent) && next !== NEWLINE && next !== HASH && next !== DASH;
}

interface Scan {
  at: number;
  lines: number;
  itemIndent: number;
  readonly items: number[];
}

/** Finds where the chart at the start of the window ends, and where its versions start. */
export async function scanChart(window: TextWindow, name: string, indent: number): Promise<ChartBlock> {
  const scan: Scan = { at: window.bytes().indexOf(NEWLINE) + 1, lines: 1, itemIndent: -1, items: [] };
  while (!scanLines(window.bytes(), scan, indent)) {
    if (!(await window.more())) break;
  }
  const { at, items, itemIndent, lines } = scan;
  return { name, bytes: window.bytes().subarray(0, at), items, itemIndent, lines };
}

/** Goes on line by line; true where the next line belongs to the chart no more. */
function scanLines(bytes: Buffer, scan: Scan, indent: number): boolean {
  let at = scan.at;
  for (let end = bytes.indexOf(NEWLINE, at); end >= 0; end = bytes.indexOf(NEWLINE, at)) {
    if (!isDeeper(bytes, at, scan.itemIndent)) {
      scan.at = at;
      const kind = judge(bytes, scan, indent);
      if (kind === "next") return true;
      if (kind === "item") scan.items.push(at);
    }
    scan.lines++;
    at = end + 1;
  }
  scan.at = at;
  return false;
}

/** Whether a line is indented more than the dashes, as nearly all lines are. */
function isDeeper(bytes: Buffer, at: number, itemIndent: number): boolean {
  if (itemIndent < 0) return false;
  for (let offset = itemIndent; offset >= 0; offset--) if (bytes[at + offset] !== SPACE) return false;
  return true;
}

function judge(bytes: Buffer, scan: Scan, indent: number): "item" | "inside" | "next" {
  const spaces = spacesAt(bytes, scan.at);
  const first = bytes[scan.at + spaces];
  if (first === NEWLINE || (first === HASH && scan.items.length > 0)) return "inside";
  const isItem = first === DASH && isBlank(bytes[scan.at + spaces + 1]);
  if (isItem && isListIndent(scan, spaces, indent)) return "item";
  if (!isItem && first !== HASH && (spaces === 0 || spaces === indent)) return "next";
  throw new UnusualShape("a line stands where neither a chart nor a version can be");
}

/** The first version says how far all versions of its chart are indented. */
function isListIndent(scan: Scan, spaces: number, indent: number): boolean {
  if (scan.itemIndent < 0 && spaces >= indent) scan.itemIndent = spaces;
  return spaces === scan.itemIndent;
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === NEWLINE;
}

function spacesAt(bytes: Buffer, at: number): number {
  let end = at;
  while (bytes[end] === SPACE) end++;
  return end - at;
}
