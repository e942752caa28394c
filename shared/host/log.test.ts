import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const MODULE = JSON.stringify(new URL("log.ts", import.meta.url).href);

/** What a process writes that runs `script` with a log of this level. */
function linesOf(level: string, script: string): Record<string, unknown>[] {
  const program = `
    import { createLog } from ${MODULE};
    const log = createLog("${level}", { function: "repo-synced" });
    ${script}`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

it("writes one JSON line per message with level, time and fields", () => {
  const [line, ...others] = linesOf("info", 'log.warn({ event: "1", gone: undefined }, "two\\nlines");');
  expect(others).toEqual([]);
  expect(line).toEqual({
    level: "warn",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    function: "repo-synced",
    event: "1",
    msg: "two\nlines",
  });
});

it.each([
  ["debug", ["debug", "info", "warn", "error"]],
  ["warn", ["warn", "error"]],
  ["silent", []],
])("at level %s writes %j", (level, expected) => {
  const lines = linesOf(level, 'for (const name of ["debug", "info", "warn", "error"]) log[name]({}, "said");');
  expect(lines.map((line) => line["level"])).toEqual(expected);
});

it("tells of a message whose fields have no JSON", () => {
  const [line] = linesOf("info", 'log.info({ size: 1n }, "stored");');
  expect(line).toMatchObject({ msg: "stored", unwritable: expect.stringContaining("BigInt") });
});

it("writes the last words before the process dies, however long", () => {
  const [line] = linesOf("info", 'log.error({ text: "x".repeat(300_000) }, "dying"); process.exit(0);');
  expect(line).toMatchObject({ msg: "dying", text: "x".repeat(300_000) });
});
