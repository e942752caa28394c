import { RE2JS } from "re2js";

const compiled = new Map<string, RE2JS | undefined>();
const MAX_CACHED = 5_000;

/** The regular expression of a schema or CEL rule (Go's RE2: no text makes it slow), undefined when it is none; cached. */
export function compilePattern(pattern: string): RE2JS | undefined {
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

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}
