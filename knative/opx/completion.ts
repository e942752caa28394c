import { COMMON_OPTIONS, type Command, defineCommand, UsageError } from "./command.ts";

/** The command that prints what a shell needs to complete all others. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return defineCommand({
    name: "completion",
    summary: "Print the script by which a shell completes opx commands.",
    arguments: [{ name: "SHELL", description: "bash or zsh" }],
    options: {},
    examples: ["completion bash > /etc/bash_completion.d/opx", "completion zsh > ~/.zfunc/_opx"],
    async run({ arguments: [shell = ""] }) {
      const script = SCRIPTS[shell]?.(wordsByPrefix(commands()));
      if (script === undefined) throw new UsageError(`no completion for ${shell}; choose bash or zsh`);
      return { json: { shell, script }, lines: [script] };
    },
  });
}

/** What may follow each beginning of a command line: words of commands, and behind a whole command its options. */
function wordsByPrefix(commands: readonly Command[]): ReadonlyMap<string, readonly string[]> {
  const next = new Map<string, Set<string>>();
  const note = (prefix: string, word: string) => next.set(prefix, (next.get(prefix) ?? new Set()).add(word));
  for (const { name, options } of commands) {
    const words = name.split(" ");
    for (const [at, word] of words.entries()) note(words.slice(0, at).join(" "), word);
    for (const option of Object.keys({ ...options, ...COMMON_OPTIONS })) note(name, `--${option}`);
  }
  return new Map([...next].map(([prefix, words]) => [prefix, [...words].sort()]));
}

type Script = (words: ReadonlyMap<string, readonly string[]>) => string;

/** Both shells find the longest beginning that is known and offer what follows it. */
const SCRIPTS: Readonly<Record<string, Script>> = {
  bash: (words) =>
    [
      "_opx() {",
      '  local current="$' + '{COMP_WORDS[COMP_CWORD]}" said="" word',
      '  for word in "$' + '{COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
      '    case "$word" in -*) break ;; esac',
      '    case "$said $word" in',
      ...prefixCases(words, '      said="$' + '{said:+$said }$word"'),
      "    esac",
      "  done",
      '  case "$said" in',
      ...[...words].map(
        ([prefix, next]) => `    "${prefix}") COMPREPLY=($(compgen -W "${next.join(" ")}" -- "$current")) ;;`,
      ),
      "  esac",
      "}",
      "complete -F _opx opx",
    ].join("\n"),
  zsh: (words) =>
    [
      "#compdef opx",
      "_opx() {",
      '  local said="" word',
      "  for word in $" + "{words[2,CURRENT-1]}; do",
      '    case "$word" in -*) break ;; esac',
      '    case "$said $word" in',
      ...prefixCases(words, '      said="$' + '{said:+$said }$word"'),
      "    esac",
      "  done",
      '  case "$said" in',
      ...[...words].map(([prefix, next]) => `    "${prefix}") compadd -- ${next.join(" ")} ;;`),
      "  esac",
      "}",
      '_opx "$@"',
    ].join("\n"),
};

/** A word belongs to the command as long as a command goes on with it. */
function prefixCases(words: ReadonlyMap<string, readonly string[]>, then: string): readonly string[] {
  const prefixes = [...words.keys()].filter((prefix) => prefix !== "");
  const patterns = prefixes.map((prefix) => {
    const at = prefix.lastIndexOf(" ");
    return at === -1 ? `" ${prefix}"` : `"${prefix}"`;
  });
  return [`      ${patterns.join(" | ")})`, `  ${then} ;;`];
}
