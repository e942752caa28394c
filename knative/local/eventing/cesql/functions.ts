import { failed, integer, type Result, type Value, type ValueType } from "./value.ts";

/** A built-in function; its arguments come cast to the parameter types. */
export interface BuiltIn {
  readonly parameters: readonly ValueType[];
  /** Type of any number of further arguments. */
  readonly rest?: ValueType;
  readonly returns: ValueType;
  call(...args: readonly Value[]): Result;
}

/** The arguments of a function whose parameters have these types. */
type Texts = (...args: readonly string[]) => string;

function ofTexts(call: Texts, count = 1): BuiltIn {
  const parameters = Array.from({ length: count }, () => "String" as const);
  return { parameters, returns: "String", call: (...args) => ({ value: call(...args.map(String)) }) };
}

/** `LEFT` and `RIGHT`: as many characters as asked for, the whole text where it has fewer. */
function part(name: string, cut: (characters: readonly string[], count: number) => readonly string[]): BuiltIn {
  return {
    parameters: ["String", "Integer"],
    returns: "String",
    call(text = "", count = 0) {
      const length = Number(count);
      if (length < 0) return failed(text, "functionEvaluation", `${name}: ${length} is less than 0`);
      return { value: cut([...String(text)], length).join("") };
    },
  };
}

/** Positions count from 1, negative ones from the end; 0 gives nothing. */
function substring(text: Value = "", position: Value = 0, length?: Value): Result {
  const characters = [...String(text)];
  const from = Number(position);
  const count = length === undefined ? characters.length : Number(length);
  if (Math.abs(from) > characters.length || count < 0) {
    const problem = count < 0 ? `length ${count} is less than 0` : `position ${from} is outside the text`;
    return failed("", "functionEvaluation", `SUBSTRING: ${problem}`);
  }
  if (from === 0) return { value: "" };
  const start = from < 0 ? characters.length + from : from - 1;
  return { value: characters.slice(start, start + count).join("") };
}

function absolute(value: Value = 0): Result {
  const result = integer(Math.abs(Number(value)));
  return result.error ? { ...result, value: 2 ** 31 - 1 } : result;
}

/** Every type can be cast to every other explicitly: the arguments of these come cast already. */
function casting(type: ValueType): BuiltIn {
  return { parameters: [type], returns: type, call: (value = "") => ({ value }) };
}

const BUILT_IN: ReadonlyMap<string, readonly BuiltIn[]> = new Map<string, readonly BuiltIn[]>([
  [
    "LENGTH",
    [{ parameters: ["String"], returns: "Integer", call: (text = "") => ({ value: [...String(text)].length }) }],
  ],
  ["CONCAT", [{ ...ofTexts((...texts) => texts.join(""), 0), rest: "String" }]],
  ["CONCAT_WS", [{ ...ofTexts((separator, ...texts) => texts.join(separator)), rest: "String" }]],
  ["LOWER", [ofTexts((text = "") => text.toLowerCase())]],
  ["UPPER", [ofTexts((text = "") => text.toUpperCase())]],
  ["TRIM", [ofTexts((text = "") => text.trim())]],
  ["LEFT", [part("LEFT", (characters, count) => characters.slice(0, count))]],
  ["RIGHT", [part("RIGHT", (characters, count) => characters.slice(Math.max(characters.length - count, 0)))]],
  [
    "SUBSTRING",
    [
      { parameters: ["String", "Integer"], returns: "String", call: substring },
      { parameters: ["String", "Integer", "Integer"], returns: "String", call: substring },
    ],
  ],
  ["ABS", [{ parameters: ["Integer"], returns: "Integer", call: absolute }]],
  ["INT", [casting("Integer")]],
  ["BOOL", [casting("Boolean")]],
  ["STRING", [casting("String")]],
]);

/** The built-in function of that name (in upper case) that takes so many arguments. */
export function findFunction(name: string, count: number): BuiltIn | undefined {
  return BUILT_IN.get(name)?.find(({ parameters, rest }) =>
    rest === undefined ? parameters.length === count : parameters.length <= count,
  );
}
