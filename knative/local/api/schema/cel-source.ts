const TEXT = /[rR]?"""[\s\S]*?"""|[rR]?'''[\s\S]*?'''|[rR]"[^"]*"|[rR]'[^']*'|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

/** A rule's source with the texts in it emptied: what is left are names and operators. */
export function withoutTexts(source: string): string {
  return source.replaceAll(TEXT, '""');
}

/** True when a rule goes through a list or a map, so that its cost depends on what is in there. */
export function loops(source: string): boolean {
  return /\.(?:all|exists|exists_one|existsOne|transform\w+|map|filter|sum|indexOf|lastIndexOf)\s*\(|\bsets\./.test(
    withoutTexts(source),
  );
}

/** Calls functions by other names, everywhere but inside texts. */
export function renameCalls(source: string, names: ReadonlyMap<string, string>): string {
  let out = "";
  let last = 0;
  const rename = (code: string): string =>
    code.replaceAll(/(?<!\w)(\w+)(\s*\()/g, (call, name: string, open: string) => {
      const other = names.get(name);
      return other === undefined ? call : `${other}${open}`;
    });
  for (const match of source.matchAll(TEXT)) {
    out += rename(source.slice(last, match.index)) + match[0];
    last = match.index + match[0].length;
  }
  return out + rename(source.slice(last));
}
