import { COMMON_OPTIONS, type Command, type Option } from "./command.ts";

/** Help on the commands that begin with these words; on a single one with its options. */
export function helpText(commands: readonly Command[], words: readonly string[]): string {
  const name = words.join(" ");
  const one = commands.find((command) => command.name === name);
  if (one) return commandHelp(one);
  const listed = commands.filter((command) => name === "" || command.name.startsWith(`${name} `));
  const width = Math.max(...listed.map((command) => command.name.length));
  return [
    `Usage: opx ${name === "" ? "" : `${name} `}COMMAND`,
    "",
    ...listed.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
    "",
    "opx COMMAND --help tells more. Exit codes: 0 done, 1 failed or refused, 2 not understood.",
  ].join("\n");
}

/** How a command is written. */
export function usageOf({ name, arguments: words }: Command): string {
  return ["opx", name, ...words.map((word) => word.name), "[options]"].join(" ");
}

/** Options of a command as `--name VALUE` with what they are for; its own first. */
export function optionRows(options: Readonly<Record<string, Option>>): readonly (readonly [string, string])[] {
  return Object.entries(options).map(([name, { value, description }]) => [
    `--${name}${value === undefined ? "" : ` ${value}`}`,
    description,
  ]);
}

function commandHelp(command: Command): string {
  const { summary, examples, arguments: words } = command;
  const rows = [
    ...words.map(({ name, description }) => [name, description] as const),
    ...optionRows({ ...command.options, ...COMMON_OPTIONS }),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `Usage: ${usageOf(command)}`,
    "",
    summary,
    "",
    ...rows.map(([name, description]) => `  ${name.padEnd(width)}  ${description}`),
    "",
    "Examples:",
    ...examples.map((example) => `  opx ${example}`),
  ].join("\n");
}
