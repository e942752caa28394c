import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { failure } from "../../test/contracts/kube-port/scripted-server.ts";
import { type CommandOptions, runCommand } from "./helm-command.ts";

const options: CommandOptions = { folder: tmpdir(), environment: { ONLY: "this" }, timeoutMs: 30_000 };

function script(text: string, more: Partial<CommandOptions> = {}) {
  return runCommand(process.execPath, ["-e", text], { ...options, ...more });
}

describe("a command", () => {
  test("tells what it said and how it ended, in the given environment and no other", async () => {
    const text = "console.log(JSON.stringify(process.env)); console.error('oh'); process.exitCode = 3";
    const result = await script(text);
    expect(result).toMatchObject({ code: 3, stderr: "oh\n", timedOut: false });
    expect(JSON.parse(result.stdout)).toEqual({ ONLY: "this" });
  });

  test("takes its arguments as they are", async () => {
    const result = await runCommand(process.execPath, ["-p", "process.argv[1]", "$(id); `id` *"], options);
    expect(result.stdout).toBe("$(id); `id` *\n");
  });

  test("is asked to stop when its time is up", async () => {
    const text = "trap 'echo stopping; exit 1' TERM; while :; do sleep 0.05; done";
    const result = await runCommand("/bin/sh", ["-c", text], { ...options, timeoutMs: 1_000 });
    expect(result).toMatchObject({ code: 1, stdout: "stopping\n", timedOut: true });
  });

  test("is killed when it does not stop", async () => {
    const text = "trap 'echo no' TERM; while :; do sleep 0.05; done";
    const result = await runCommand("/bin/sh", ["-c", text], { ...options, timeoutMs: 1_000, stopMs: 500 });
    expect(result).toMatchObject({ code: undefined, stdout: "no\n", timedOut: true });
  });

  test("may say much, not without end; of its complaints the last count", async () => {
    const endless = "const line = 'x'.repeat(1 << 20); const say = () => process.stdout.write(line, say); say()";
    expect((await failure(script(endless))).kind).toBe("TooLarge");
    const { stderr } = await script("process.stderr.write('x'.repeat(1 << 20) + 'the end')");
    expect(stderr).toHaveLength(64 * 1024);
    expect(stderr.endsWith("the end")).toBe(true);
  });

  test("that is not there names its path", async () => {
    const error = await failure(runCommand("/nowhere/helm", [], options));
    expect(error.kind).toBe("Unavailable");
    expect(error.message).toContain("cannot start /nowhere/helm");
  });
});
