const TEXT = /[rR]?"""[\s\S]*?"""|[rR]?'''[\s\S]*?'''|[rR]"[^"]*"|[rR]'[^']*'|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

/** A rule's source with the texts in it emptied: what is left are names and operators. */
export function withoutTexts(source: string): string {
  return source.replaceAll(TEXT, '""');
}

/** Calls another macro than `has`, everywhere but inside texts. */
export function renameHas(source: string, name: string): string {
  let out = "";
  let last = 0;
  const rename = (code: string): string => code.replaceAll(/(?<![\w.])has\s*\(/g, `${name}(`);
  for (const match of source.matchAll(TEXT)) {
    out += rename(source.slice(last, match.index)) + match[0];
    last = match.index + match[0].length;
  }
  return out + rename(source.slice(last));
}
