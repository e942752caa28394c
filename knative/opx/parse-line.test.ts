import { describe, expect, test } from "vitest";
import { commands } from "./commands.ts";
import { helpText } from "./help.ts";
import { parseLine } from "./parse-line.ts";

const parse = (line: string) => parseLine(commands, line.split(" ").filter(Boolean));

test("a command line is read by the declaration of its command", () => {
  expect(parse("repo add web https://x --every 1h --wait --json")).toMatchObject({
    kind: "call",
    command: { name: "repo add" },
    call: {
      arguments: ["web", "https://x"],
      options: { every: "1h", wait: true, keep: undefined, "token-stdin": false },
    },
    common: { json: true, kubeconfig: undefined },
  });
});

test.each([
  ["", []],
  ["--help", []],
  ["repo", ["repo"]],
  ["repo -h", ["repo"]],
  ["repo add --help", ["repo", "add"]],
  ["repo add web https://x -h", ["repo", "add"]],
])("%j shows help", (line, words) => {
  expect(parse(line)).toEqual({ kind: "help", words });
});

describe("what is not understood is said with what to do", () => {
  test.each([
    ["repos", 'opx has no command "repos"; see opx --help'],
    ["repo ad x", 'opx has no command "repo ad x"; see opx --help'],
    ["--json", "--json belongs behind a command; see opx --help"],
    ["repo add web", /^URL is missing: .*; see opx repo add --help$/],
    ["repo status a b", '"b" is one word too many; see opx repo status --help'],
    ["repo list --color", "Unknown option '--color'; see opx repo list --help"],
    ["repo sync web --timeout", /--timeout.*; see opx repo sync --help$/],
  ])("%s", (line, message) => {
    expect(() => parse(line)).toThrow(message);
  });
});

test("help on every command names its arguments, options and examples", () => {
  for (const { name, options, arguments: words, examples } of commands) {
    const text = helpText(commands, name.split(" "));
    for (const part of [...words.map((word) => word.name), ...Object.keys(options), ...examples]) {
      expect(text).toContain(part);
    }
  }
});

test("every example is understood", () => {
  for (const { name, examples } of commands) {
    for (const example of examples) {
      const [line = ""] = example.split(/ [<>] /);
      // Quoted as a shell reads it.
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
      expect(parseLine(commands, words)).toMatchObject({ kind: "call", command: { name } });
    }
  }
});
