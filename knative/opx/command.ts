import type { OpxContext } from "./context.ts";

/** One `--name` of a command. */
export interface Option {
  readonly type: "string" | "boolean";
  /** What stands for the value in help: `SECONDS`. */
  readonly value?: string;
  readonly description: string;
}

/** One word of a command line that is no option. */
interface Argument {
  readonly name: string;
  readonly description: string;
}

/** The options of a command line, read: booleans are false where they are not given. */
type Values<O extends Readonly<Record<string, Option>>> = {
  readonly [K in keyof O]: O[K]["type"] extends "boolean" ? boolean : string | undefined;
};

/** What a command came to: data for `--json`, lines for people. */
export interface Answer {
  readonly json: unknown;
  readonly lines: readonly string[];
  /** Set where what was asked for failed or was refused: the exit code is 1. */
  readonly failed?: true;
}

/** The declaration of a command, from which parsing, help, completion and the reference page follow. */
export interface CommandOptions<O extends Readonly<Record<string, Option>>> {
  /** Words after `opx`: `repo add`. */
  readonly name: string;
  readonly summary: string;
  /** All are required. */
  readonly arguments: readonly Argument[];
  readonly options: O;
  /** Command lines to learn from, without `opx`. */
  readonly examples: readonly string[];
  /** Carries the command out; a `Failure` or `UsageError` ends it with its message. */
  run(call: Call<O>, context: OpxContext): Promise<Answer>;
}

/** A command line as its command reads it. */
export interface Call<O extends Readonly<Record<string, Option>>> {
  /** In the order of the declaration. */
  readonly arguments: readonly string[];
  readonly options: Values<O>;
}

/** A command as the table sees it, its own options erased. */
export type Command = CommandOptions<Readonly<Record<string, Option>>>;

/** Declares a command; reading an option that is not declared does not compile. */
export function defineCommand<const O extends Readonly<Record<string, Option>>>(options: CommandOptions<O>): Command {
  // The one place where a command's own options end: what is parsed follows the same declaration.
  return options as unknown as Command;
}

/** Options that every command takes. */
export const COMMON_OPTIONS = {
  json: { type: "boolean", description: "print JSON for programs" },
  kubeconfig: { type: "string", value: "FILE", description: "kubeconfig file (default: $KUBECONFIG, ~/.kube/config)" },
  context: { type: "string", value: "NAME", description: "context of the kubeconfig" },
  help: { type: "boolean", description: "show this help" },
} as const satisfies Readonly<Record<string, Option>>;

/** A command line that cannot be followed: exit code 2. */
export class UsageError extends Error {}
