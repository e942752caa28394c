import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { STEPS } from "../../knative/local/demo/steps.ts";
import { binary } from "../support/binaries.ts";

const DEMO = join(import.meta.dirname, "../../knative/local/demo/main.ts");

/** Runs the demo as `make demo` does, in a process of its own and without a terminal. */
async function runDemo(environment: Readonly<Record<string, string>>) {
  const tools = { NATS_SERVER: binary("nats-server"), HELM: binary("helm"), KUBECTL: binary("kubectl") };
  const child = spawn(process.execPath, [DEMO], {
    env: { ...tools, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const output = (await child.stdout.setEncoding("utf8").toArray()).join("");
  const [code] = await exited;
  return { code, lines: output.split("\n") };
}

test("the demo sees every step, shows the timeline and what is there, in plain lines", async () => {
  const { code, lines } = await runDemo({});
  expect(lines.filter((line) => line.startsWith("failed"))).toEqual([]);
  expect(code).toBe(0);
  for (const { title } of STEPS)
    expect(
      lines.some((line) => line.startsWith(`ok ${title}`)),
      title,
    ).toBe(true);
  expect(lines).toContain("      io.openpitrix.release.check.tick  ".concat(subjectIn(lines)));
  expect(lines.find((line) => line.startsWith("web "))).toMatch(/deployed\s+guestbook-2\.1\.0/);
  expect(lines.join("")).not.toContain("\u001b");
});

test("the demo ends with an error that says which step did not happen and why", async () => {
  const { code, lines } = await runDemo({ REPO: "http://127.0.0.1:1/charts" });
  expect(code).toBe(1);
  expect(lines.find((line) => line.startsWith("failed"))).toMatch(/add a repository.*ECONNREFUSED/);
  expect(lines.find((line) => line.startsWith("stopped"))).toContain("add a repository");
});

function subjectIn(lines: readonly string[]): string {
  return /helmreleases\/demo\/rls-\w+/.exec(lines.join("\n"))?.[0] ?? "no release";
}
