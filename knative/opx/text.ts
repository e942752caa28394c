/** Columns wide enough for what is in them, two spaces apart; nothing stands after the last. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [head.map((name) => name.toUpperCase()), ...rows.map((row) => row.map(plain))];
  const widths = head.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Lines of `name  value`, values below each other; what has no value is left out. */
export function fields(entries: readonly (readonly [string, string | number | undefined])[]): readonly string[] {
  const known = entries.filter(([, value]) => value !== undefined && value !== "");
  const width = Math.max(0, ...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${name.padEnd(width)}  ${plain(String(value))}`);
}

/** What vendors and servers wrote on one line, without what would move the cursor of a terminal or colour it. */
export function plain(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").trimEnd();
}

const UNITS: readonly (readonly [string, number])[] = [
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
  ["s", 1],
];

/** How long ago or ahead a moment is, in its largest unit: `3h`; "" where there is none. */
export function age(time: string | undefined, now: Date): string {
  if (time === undefined) return "";
  const seconds = Math.abs(Math.round((now.getTime() - Date.parse(time)) / 1000));
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? ["s", 1];
  return `${Math.floor(seconds / size)}${unit}`;
}

/** A number of bytes for people. */
export function bytes(count: number): string {
  const power = Math.min(3, Math.floor(Math.log2(Math.max(count, 1)) / 10));
  const number = count / 1024 ** power;
  return `${power === 0 ? number : number.toFixed(1)} ${["B", "KiB", "MiB", "GiB"][power]}`;
}
