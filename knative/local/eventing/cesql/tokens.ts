/** The smallest parts of an expression; `text` is as written, for strings without quotes and escapes. */
export interface Token {
  readonly kind: "word" | "integer" | "string" | "symbol" | "end";
  readonly text: string;
  /** Where it begins, from 0. */
  readonly at: number;
}

/** What is wrong with the text of an expression, and where. */
export class CesqlSyntaxError extends Error {
  constructor(problem: string, at: number) {
    super(`${problem} at character ${at + 1}`);
    this.name = "CesqlSyntaxError";
  }
}

/** Bounds the recursion of parser and evaluator: each level takes at least one token. */
const MAX_TOKENS = 1_000;
const MAX_LENGTH = 16 * 1024;

const PATTERN =
  /(?<space>[ \t\r\n]+)|(?<string>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|(?<word>[A-Za-z0-9_]+)|(?<symbol><=|>=|<>|!=|[-+*/%=<>(),])/sy;

/** Splits an expression; the last token is always the end. Throws `CesqlSyntaxError`. */
export function tokenize(text: string): readonly Token[] {
  if (text.length > MAX_LENGTH) throw new CesqlSyntaxError(`longer than ${MAX_LENGTH} characters`, MAX_LENGTH);
  const tokens: Token[] = [];
  const pattern = new RegExp(PATTERN);
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const groups = pattern.exec(text)?.groups;
    if (!groups) throw new CesqlSyntaxError(`unexpected ${JSON.stringify(text.charAt(at))}`, at);
    const token = tokenOf(groups, at);
    if (token) tokens.push(token);
    if (tokens.length > MAX_TOKENS) throw new CesqlSyntaxError(`more than ${MAX_TOKENS} parts`, at);
  }
  tokens.push({ kind: "end", text: "the end", at: text.length });
  return tokens;
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>, at: number): Token | undefined {
  const { string, word, symbol } = groups;
  if (string !== undefined) return { kind: "string", text: unquote(string), at };
  if (symbol !== undefined) return { kind: "symbol", text: symbol, at };
  if (word !== undefined) return { kind: /^\d+$/.test(word) ? "integer" : "word", text: word, at };
  return undefined;
}

/** Only the quote itself is unescaped: other backslashes mean something to LIKE. */
function unquote(quoted: string): string {
  const quote = quoted.charAt(0);
  return quoted.slice(1, -1).replaceAll(`\\${quote}`, quote);
}
