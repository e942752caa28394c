/** A path with parameters, ready to be compared: `/apps/{app}/versions`. */
export interface PathPattern {
  readonly text: string;
  readonly parts: readonly string[];
}

/** Reads a pattern; `{name}` stands for one part of a path. */
export function pathPattern(text: string): PathPattern {
  return { text, parts: text.split("/").slice(1) };
}

/** The parameters of a path that fits the pattern, decoded; one trailing slash is allowed (KubeSphere §6.1). */
export function matchPath({ parts }: PathPattern, path: string): Readonly<Record<string, string>> | undefined {
  const given = path.replace(/\/$/, "").split("/").slice(1);
  if (given.length !== parts.length) return undefined;
  const values = given.map(decode);
  const fits = parts.every((part, index) => (isParameter(part) ? values[index] : part === given[index]));
  if (!fits) return undefined;
  const named = parts.flatMap((part, index) => (isParameter(part) ? [[part.slice(1, -1), values[index] ?? ""]] : []));
  return Object.fromEntries(named);
}

function isParameter(part: string): boolean {
  return part.startsWith("{");
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
