import type { BinaryOperator, Expression } from "./expression.ts";
import { likePattern } from "./like-pattern.ts";
import { CesqlSyntaxError, type Token, tokenize } from "./tokens.ts";
import { isInteger } from "./value.ts";

interface Infix {
  readonly power: number;
  readonly operator: BinaryOperator;
  readonly rightToLeft?: boolean;
}

/** How strongly operators bind, weakest first, as in the grammar that the Go and Java libraries share. */
const LOGIC = 1;
const COMPARISON = 2;
const SUM = 3;
const PRODUCT = 4;
const MATCH = 5;
const PREFIX = 6;

const INFIX: ReadonlyMap<string, Infix> = new Map<string, Infix>([
  ["AND", { power: LOGIC, operator: "AND", rightToLeft: true }],
  ["OR", { power: LOGIC, operator: "OR", rightToLeft: true }],
  ["XOR", { power: LOGIC, operator: "XOR", rightToLeft: true }],
  ["=", { power: COMPARISON, operator: "=" }],
  ["!=", { power: COMPARISON, operator: "!=" }],
  ["<>", { power: COMPARISON, operator: "!=" }],
  ["<", { power: COMPARISON, operator: "<" }],
  ["<=", { power: COMPARISON, operator: "<=" }],
  [">", { power: COMPARISON, operator: ">" }],
  [">=", { power: COMPARISON, operator: ">=" }],
  ["+", { power: SUM, operator: "+" }],
  ["-", { power: SUM, operator: "-" }],
  ["*", { power: PRODUCT, operator: "*" }],
  ["/", { power: PRODUCT, operator: "/" }],
  ["%", { power: PRODUCT, operator: "%" }],
]);

const KEYWORDS = new Set(["AND", "OR", "XOR", "NOT", "LIKE", "IN", "EXISTS", "TRUE", "FALSE"]);

/** Parses an expression by the grammar of CESQL v1; throws `CesqlSyntaxError`. */
export function parse(text: string): Expression {
  const reader = readerOf(tokenize(text));
  const expression = parseExpression(reader, LOGIC);
  reader.expect("the end");
  return expression;
}

/** The tokens still to come. Keywords are compared in upper case, since CESQL does not tell cases apart. */
interface Reader {
  /** The next token's text; empty for a literal. */
  peek(): string;
  current(): Token;
  next(): Token;
  /** Goes on if the next token is this one. */
  take(text: string): boolean;
  expect(text: string): void;
}

function readerOf(tokens: readonly Token[]): Reader {
  const end: Token = { kind: "end", text: "the end", at: 0 };
  let at = 0;
  const current = () => tokens[at] ?? tokens.at(-1) ?? end;
  const peek = () => {
    const { kind, text } = current();
    if (kind === "string" || kind === "integer") return "";
    return kind === "word" ? text.toUpperCase() : text;
  };
  const take = (text: string) => {
    if (peek() !== text) return false;
    at++;
    return true;
  };
  return {
    peek,
    current,
    take,
    next() {
      const token = current();
      at++;
      return token;
    },
    expect(text) {
      if (!take(text)) throw new CesqlSyntaxError(`expected ${text}, found ${current().text}`, current().at);
    },
  };
}

function parseExpression(reader: Reader, minimum: number): Expression {
  let left = parsePrefix(reader);
  for (;;) {
    const matched = minimum <= MATCH ? parseMatch(reader, left) : undefined;
    const infix = INFIX.get(reader.peek());
    if (matched) left = matched;
    else if (infix && infix.power >= minimum) left = parseInfix(reader, left, infix);
    else return left;
  }
}

function parseInfix(reader: Reader, left: Expression, { power, operator, rightToLeft = false }: Infix): Expression {
  reader.next();
  return { kind: "binary", operator, left, right: parseExpression(reader, rightToLeft ? power : power + 1) };
}

/** `LIKE 'pattern'`, `IN (…)` and both with NOT before; `undefined` where something else follows. */
function parseMatch(reader: Reader, operand: Expression): Expression | undefined {
  // After an operand NOT can be nothing else.
  const negated = reader.take("NOT");
  const matched = parsePlainMatch(reader, operand);
  if (!negated) return matched;
  if (matched) return { kind: "not", operand: matched };
  const { text, at } = reader.next();
  throw new CesqlSyntaxError(`expected LIKE or IN after NOT, found ${text}`, at);
}

function parsePlainMatch(reader: Reader, operand: Expression): Expression | undefined {
  if (reader.take("IN")) {
    reader.expect("(");
    return { kind: "in", operand, set: [parseExpression(reader, LOGIC), ...parseMore(reader)] };
  }
  if (!reader.take("LIKE")) return undefined;
  const { kind, text, at } = reader.next();
  if (kind !== "string") throw new CesqlSyntaxError(`expected a pattern in quotes after LIKE, found ${text}`, at);
  return { kind: "like", operand, pattern: likePattern(text) };
}

/** The rest of a list up to and with its closing parenthesis. */
function parseMore(reader: Reader): readonly Expression[] {
  const more: Expression[] = [];
  while (reader.take(",")) more.push(parseExpression(reader, LOGIC));
  reader.expect(")");
  return more;
}

function parsePrefix(reader: Reader): Expression {
  if (reader.take("NOT")) return { kind: "not", operand: parseExpression(reader, PREFIX) };
  if (reader.take("-")) return parseNegative(reader);
  if (reader.take("EXISTS")) return { kind: "exists", name: attributeName(reader.next()) };
  if (reader.take("(")) {
    const inner = parseExpression(reader, LOGIC);
    reader.expect(")");
    return inner;
  }
  return parseAtom(reader);
}

function parseNegative(reader: Reader): Expression {
  // The smallest integer has no positive counterpart, so the sign belongs to the literal.
  if (reader.current().kind === "integer") return integerLiteral(reader.next(), -1);
  return { kind: "negate", operand: parseExpression(reader, PREFIX) };
}

function parseAtom(reader: Reader): Expression {
  const token = reader.next();
  if (token.kind === "string") return { kind: "literal", value: token.text };
  if (token.kind === "integer") return integerLiteral(token, 1);
  const word = token.text.toUpperCase();
  if (word === "TRUE" || word === "FALSE") return { kind: "literal", value: word === "TRUE" };
  if (reader.peek() === "(" && isFunctionName(token)) return { kind: "call", name: word, args: parseArguments(reader) };
  return { kind: "attribute", name: attributeName(token) };
}

function integerLiteral({ text, at }: Token, sign: 1 | -1): Expression {
  const value = sign * Number(text);
  if (!isInteger(value)) throw new CesqlSyntaxError(`${text} does not fit into 32 bits`, at);
  return { kind: "literal", value: value + 0 };
}

function parseArguments(reader: Reader): readonly Expression[] {
  reader.expect("(");
  if (reader.take(")")) return [];
  return [parseExpression(reader, LOGIC), ...parseMore(reader)];
}

function isFunctionName({ kind, text }: Token): boolean {
  return kind === "word" && /^[A-Za-z][A-Za-z_]*$/.test(text) && !KEYWORDS.has(text.toUpperCase());
}

function attributeName({ kind, text, at }: Token): string {
  const isName = kind === "word" && /^[A-Za-z0-9]+$/.test(text) && !KEYWORDS.has(text.toUpperCase());
  if (!isName) throw new CesqlSyntaxError(`expected a value, found ${text}`, at);
  return text.toLowerCase();
}
