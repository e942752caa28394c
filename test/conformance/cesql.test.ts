import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileCesql } from "../../knative/local/eventing/cesql/cesql.ts";
import { likePattern, matchesLike } from "../../knative/local/eventing/cesql/like-pattern.ts";
import type { Result, Value } from "../../knative/local/eventing/cesql/value.ts";

const EVENT: Readonly<Record<string, Value>> = { type: "io.a", id: "1", hop: 5, big: 2_147_483_647, flag: true };

function run(text: string): Result {
  const compiled = compileCesql(text);
  return compiled.ok ? compiled.evaluate((name) => EVENT[name]) : { value: false, error: compiled.error };
}

function expectValue({ value }: Result): void {
  expect(typeof value === "number" ? Number.isInteger(value) && value === (value | 0) : true).toBe(true);
  expect(["boolean", "number", "string"]).toContain(typeof value);
}

const integers = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

/** Words and signs of the language in any order: mostly nonsense, sometimes an expression. */
const parts = fc.constantFrom(
  ..."type id hop big flag missing TRUE false 0 1 2147483647 2147483648 'a' \"b%\" '_' ( ) , + - * / % = != <> < <= > >=".split(
    " ",
  ),
  ..."AND OR XOR NOT LIKE IN EXISTS ABS( CONCAT_WS( SUBSTRING( INT( BOOL( NOPE( () ('x',1)".split(" "),
);

/** Expressions that parse. */
const { expression: expressions } = fc.letrec<{ expression: string; leaf: string }>((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom("type", "hop", "big", "flag", "missing", "TRUE", "FALSE", "'5'", "'x%'", "EXISTS id"),
    integers.map(String),
  ),
  expression: fc.oneof(
    { maxDepth: 5 },
    tie("leaf"),
    fc
      .tuple(
        tie("expression"),
        fc.constantFrom("+", "-", "*", "/", "%", "=", "<>", "<", ">=", "AND", "or", "Xor"),
        tie("expression"),
      )
      .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
    fc.tuple(fc.constantFrom("NOT", "-"), tie("expression")).map((pair) => pair.join(" ")),
    fc
      .tuple(fc.constantFrom("LEFT", "RIGHT", "SUBSTRING"), tie("expression"), tie("expression"))
      .map(([name, text, count]) => `${name}(${text}, ${count})`),
    fc.tuple(tie("expression"), tie("expression")).map(([left, right]) => `(${left} IN (${right}, 1))`),
    tie("expression").map((operand) => `(${operand} NOT LIKE '%1_')`),
  ),
}));

describe("never throws and always has a value", () => {
  test("for any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => expectValue(run(text))));
  });

  test("for any order of words and signs", () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 25 }), (words) => expectValue(run(words.join(" ")))),
      { numRuns: 2_000 },
    );
  });

  test("for expressions that parse, whatever their types", () => {
    fc.assert(
      fc.property(expressions, (text) => {
        const result = run(text);
        expect(result.error?.kind).not.toBe("parse");
        expectValue(result);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ["parentheses", "(".repeat(100_000)],
    ["closed parentheses", `${"(".repeat(450)}1${")".repeat(450)}`],
    ["negations", "NOT ".repeat(2_000)],
    ["minus signs", `${"-".repeat(990)}hop`],
    ["sums", Array.from({ length: 480 }, () => "1").join("+")],
    ["disjunctions", Array.from({ length: 480 }, () => "FALSE").join(" OR ")],
    ["calls", `${"ABS(".repeat(300)}1${")".repeat(300)}`],
    ["an open quote", `'${"\\'".repeat(5_000)}`],
  ])("for very many %s", (_, text) => {
    expectValue(run(text));
  });
});

describe("integers", () => {
  test("are computed as 32 bits, and beyond them are a math error", () => {
    const operators: Readonly<Record<string, (left: bigint, right: bigint) => bigint>> = {
      "+": (left, right) => left + right,
      "-": (left, right) => left - right,
      "*": (left, right) => left * right,
      "/": (left, right) => left / right,
      "%": (left, right) => left % right,
    };
    const small = fc.integer({ min: -50_000, max: 50_000 });
    const numbers = fc.oneof(integers, small);
    fc.assert(
      fc.property(numbers, fc.constantFrom(...Object.keys(operators)), numbers, (left, operator, right) => {
        const { value, error } = run(`${left} ${operator} ${right}`);
        const divided = right === 0 && "/%".includes(operator);
        const exact = divided ? undefined : operators[operator]?.(BigInt(left), BigInt(right));
        const fits = exact !== undefined && exact === BigInt.asIntN(32, exact);
        expect([value, error?.kind]).toEqual(fits ? [Number(exact), undefined] : [0, "math"]);
      }),
    );
  });

  test.each([
    ["-2147483648", -2_147_483_648, undefined],
    ["2147483648", false, "parse"],
    ["-(-2147483648)", 0, "math"],
    ["- 'x'", 0, "cast"],
    ["INT('2147483648')", 0, "cast"],
    ["0 * -1", 0, undefined],
    ["0 / -5 = 0", true, undefined],
  ])("%s is %s (%s)", (text, value, kind) => {
    const result = run(text);
    expect(result.value).toBe(value);
    expect(result.error?.kind).toBe(kind);
  });
});

/** What the parts of a pattern are as regular expressions. */
const MEANING: Readonly<Record<string, string>> = { "%": ".*", _: ".", "\\%": "%", "\\_": "_", "\\": "\\\\" };

describe("LIKE", () => {
  test("matches what the same pattern matches as a regular expression", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", "b", "%", "_", "\\", "é", "😀"), maxLength: 12 });
    fc.assert(
      fc.property(texts, texts, (text, pattern) => {
        const source = pattern.replaceAll(/\\[%_]|[%_\\]/g, (part) => MEANING[part] ?? "");
        expect(matchesLike(text, likePattern(pattern))).toBe(new RegExp(`^${source}$`, "su").test(text));
      }),
      { numRuns: 5_000 },
    );
  });

  test("answers soon for a pattern that regular expressions choke on", () => {
    const pattern = likePattern(`${"%a".repeat(200)}b`);
    expect(matchesLike("a".repeat(20_000), pattern)).toBe(false);
  });
});

describe("grammar", () => {
  test.each([
    // Logic operators share one level and group from the right.
    ["FALSE AND FALSE OR TRUE", false],
    ["TRUE OR FALSE AND FALSE", true],
    ["1 + 2 * 3 = 7 AND NOT FALSE", true],
    ["10 - 3 - 2", 5],
    ["20 / 2 % 3", 1],
    ["NOT flag = FALSE", true],
    ["-hop LIKE '-5'", true],
    ["hop + 1 IN (1, 2)", 6],
    ["hop IN (5) AND hop NOT IN (6)", true],
    ["TyPe = 'io.a' and ExIsTs ID", true],
    ["substring('abc', -2) = 'bc'", true],
    ["LENGTH('😀é')", 2],
    ["'it\\'s'", "it's"],
    ["'a\\nb'", "a\\nb"],
    ["STRING(flag)", "true"],
  ])("%s is %s", (text, value) => {
    expect(run(text)).toEqual({ value });
  });

  test.each([
    ["", "expected a value, found the end at character 1"],
    ["1 +", "expected a value, found the end at character 4"],
    ["1 1", "expected the end, found 1 at character 3"],
    ["type NOT = 'x'", "expected LIKE or IN after NOT, found = at character 10"],
    ["hop IN ()", "expected a value, found ) at character 9"],
    ["EXISTS 'x'", "expected a value, found x at character 8"],
    ["'x", 'unexpected "\'" at character 1'],
    ["a & b", 'unexpected "&" at character 3'],
    ["a_b", "expected a value, found a_b at character 1"],
    ["ABS(1", "expected ), found the end at character 6"],
    ["AND", "expected a value, found AND at character 1"],
    ["'a''b'", "expected the end, found b at character 4"],
  ])("%s is refused: %s", (text, message) => {
    expect(run(text)).toEqual({ value: false, error: { kind: "parse", message } });
  });
});
