import { parseArgs } from "node:util";
import { messageOf } from "../../shared/errors.ts";
import { type Call, COMMON_OPTIONS, type Command, type Option, UsageError } from "./command.ts";

/** What a command line asks for. */
export type Line =
  /** Help on the commands that begin with these words, or on one command. */
  | { readonly kind: "help"; readonly words: readonly string[] }
  | {
      readonly kind: "call";
      readonly command: Command;
      readonly call: Call<Readonly<Record<string, Option>>>;
      readonly common: Call<typeof COMMON_OPTIONS>["options"];
    };

/** Finds the command of a line and reads its options; throws `UsageError` with what to write instead. */
export function parseLine(commands: readonly Command[], args: readonly string[]): Line {
  const command = commands.find(({ name }) => startsWith(args, name.split(" ")));
  if (!command) return withoutCommand(commands, args);
  const words = command.name.split(" ");
  const { values, positionals } = parse(command, args.slice(words.length));
  if (values["help"] === true) return { kind: "help", words };
  checkArguments(command, positionals);
  // The parser keeps to the types that the declarations give.
  const call = { arguments: positionals, options: withBooleans(command.options, values) } as never;
  return { kind: "call", command, call, common: withBooleans(COMMON_OPTIONS, values) as never };
}

function withoutCommand(commands: readonly Command[], args: readonly string[]): Line {
  const words = args.filter((word) => !word.startsWith("-"));
  const known = words.length === 0 || commands.some(({ name }) => startsWith(name.split(" "), words));
  if (!known) throw new UsageError(`opx has no command "${words.slice(0, 3).join(" ")}"; see opx --help`);
  const odd = args.find((word) => word.startsWith("-") && word !== "--help" && word !== "-h");
  if (odd !== undefined) throw new UsageError(`${odd} belongs behind a command; see opx --help`);
  return { kind: "help", words };
}

function startsWith(all: readonly string[], first: readonly string[]): boolean {
  return first.every((word, at) => all[at] === word);
}

function parse(command: Command, args: readonly string[]) {
  const known = { ...command.options, ...COMMON_OPTIONS };
  const options = Object.entries(known).map(([name, { type }]) => [name, { type }] as const);
  const help = { type: "boolean" as const, short: "h" };
  try {
    const described = { ...Object.fromEntries(options), help };
    return parseArgs({ args: [...args], options: described, allowPositionals: true });
  } catch (error) {
    const [first = ""] = messageOf(error).split(". ");
    throw new UsageError(`${first.replace(/\.$/, "")}; see opx ${command.name} --help`);
  }
}

function checkArguments({ name, arguments: wanted }: Command, given: readonly string[]): void {
  const missing = wanted[given.length];
  if (missing) throw new UsageError(`${missing.name} is missing: ${missing.description}; see opx ${name} --help`);
  const odd = given[wanted.length];
  if (odd !== undefined) throw new UsageError(`"${odd}" is one word too many; see opx ${name} --help`);
}

function withBooleans(options: Readonly<Record<string, Option>>, values: Readonly<Record<string, unknown>>) {
  const names = Object.entries(options);
  return Object.fromEntries(
    names.map(([name, { type }]) => [name, values[name] ?? (type === "boolean" ? false : undefined)]),
  );
}
