const compiled = new Map<string, RegExp | undefined>();
const MAX_CACHED = 5_000;

/** The regular expression of a schema or CEL rule (Go's RE2 syntax), undefined when it is none; cached. */
export function compilePattern(pattern: string): RegExp | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern);
  if (compiled.size >= MAX_CACHED) compiled.clear();
  const expression = compile(pattern);
  compiled.set(pattern, expression);
  return expression;
}

/** True when the pattern is found in the text; a broken pattern matches nothing. */
export function patternMatches(pattern: string, text: string): boolean {
  return compilePattern(pattern)?.test(text) ?? false;
}

function compile(pattern: string): RegExp | undefined {
  const { source, flags } = translate(pattern);
  for (const mode of ["u", ""]) {
    try {
      return new RegExp(source, `${flags}${mode}`);
    } catch {
      // Patterns that escape more than Unicode mode allows are tried again without it.
    }
  }
  return undefined;
}

/** Go's spellings that JavaScript lacks: leading flags, text anchors, named groups, POSIX classes. */
function translate(pattern: string): { readonly source: string; readonly flags: string } {
  const leading = /^\(\?([ims]+)\)/.exec(pattern);
  const body = leading === null ? pattern : pattern.slice(leading[0].length);
  const source = body
    .replaceAll("(?P<", "(?<")
    .replaceAll("\\A", "^")
    .replaceAll("\\z", "$")
    .replaceAll(/\[:(\w+):\]/g, (whole, name: string) => POSIX[name] ?? whole);
  return { source, flags: leading?.[1] ?? "" };
}

const POSIX: Readonly<Record<string, string>> = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  punct: "!-\\/:-@\\[-`{-~",
  word: "\\w",
  xdigit: "0-9A-Fa-f",
};
