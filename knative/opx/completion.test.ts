import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { commands } from "./commands.ts";
import type { OpxContext } from "./context.ts";

const completion = commands.find(({ name }) => name === "completion");
const print = async (shell: string) =>
  (await completion?.run({ arguments: [shell], options: {} }, {} as OpxContext))?.lines.join("\n") ?? "";

/** What the real bash offers at the end of a line. */
async function offered(line: string): Promise<readonly string[]> {
  const words = line.split(" ");
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _opx; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync("bash", ["-c", `${await print("bash")}\n${ask}`], { encoding: "utf8" });
  return out.split("\n").filter(Boolean);
}

test("bash completes commands and options from the table", async () => {
  const first = [
    "app",
    "category",
    "completion",
    "dlq",
    "events",
    "outcome",
    "package",
    "repo",
    "review",
    "search",
    "statistics",
    "version",
  ];
  expect(await offered("opx ")).toEqual(first);
  expect(await offered("opx review ")).toEqual(["list", "pass", "reject", "start"]);
  expect(await offered("opx version submit appv-1 --m")).toEqual(["--message"]);
  expect(await offered("opx repo s")).toEqual(["status", "sync"]);
  expect(await offered("opx repo sync web --w")).toEqual(["--wait"]);
  expect(await offered("opx repo add web https://x --ke")).toEqual(["--keep", "--key-file", "--keyring-secret"]);
  expect(await offered("opx nothing ")).toEqual(first);
});

test("zsh gets the same words; other shells are named as unknown", async () => {
  expect(await print("zsh")).toMatch(/^#compdef opx\n[\s\S]*"repo sync"\) compadd -- .*--wait/);
  await expect(print("tcsh")).rejects.toThrow("no completion for tcsh; choose bash or zsh");
});
