import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../knative/local/tools/run-command.ts";
import { EXAMPLE_REPOSITORY, welcome } from "../../knative/local/welcome.ts";
import { binary } from "../support/binaries.ts";
import { startDemoCharts } from "../support/charts.ts";
import { startTestLaptop } from "../support/laptop.ts";

test("the commands that `make run` prints work when pasted one after another", async () => {
  await using charts = await startDemoCharts();
  const laptop = await startTestLaptop();
  const folder = await mkdtemp(join(tmpdir(), "openpitrix-pasted-"));
  try {
    const text = welcome(laptop, { helm: binary("helm"), kubectl: binary("kubectl") });
    // What stands in the text is a public address and a folder of the checkout; a test uses neither.
    const offline = text.replace(EXAMPLE_REPOSITORY, charts.repositoryUrl).replaceAll(".local/packages", folder);
    const script = pasted(offline);
    const printed = await runCommand("bash", ["-euo", "pipefail", "-c", script], { timeoutMs: 55_000 });
    expect(printed).toContain("helmrepo.application.kubesphere.io/podinfo created");
    expect(printed).toMatch(/helmapplicationversion.application.kubesphere.io\/appv-\w+ condition met/);
    expect(printed).toMatch(/^app-\w+-store +guestbook +active +2\.1\.0/m);
    expect(printed).toMatch(/^\d\S+ +appv-\w+ 2\.1\.0 \[1\.27\] +active$/m);
    expect(printed).toMatch(/helmrelease.application.kubesphere.io\/rls-\w+ condition met/);
    expect(printed).toMatch(/web\s+demo\s+1\s+.*deployed\s+guestbook-2\.1\.0/);
  } finally {
    await laptop.close();
    await rm(folder, { recursive: true, force: true });
  }
});

/** The indented lines are commands, and a here-document goes on to its end. */
function pasted(text: string): string {
  let inDocument = false;
  const lines = text.slice(text.indexOf("Add a repository")).split("\n");
  return lines
    .filter((line) => {
      const taken = inDocument || line.startsWith("  ");
      inDocument = line === "END" ? false : inDocument || line.includes("<<");
      return taken;
    })
    .join("\n");
}
