import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { functions, httpFunctions } from "../../functions/index.ts";
import { differences, writeFiles } from "../../knative/generate/disk.ts";
import { generatedFiles } from "../../knative/generate/files.ts";

const files = generatedFiles(functions, httpFunctions);

test("the checked-in files are what the declarations say", async () => {
  const root = fileURLToPath(new URL("../../knative", import.meta.url));
  expect(await differences(root, files)).toEqual([]);
});

test("a file that is missing, changed by hand or left over is named, and generating repairs it", async () => {
  const root = await mkdtemp(join(tmpdir(), "generate-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const first = await differences(root, files);
  expect(first.map(({ why }) => why)).toEqual(Array(files.size).fill("missing"));
  await writeFiles(root, files, first);
  await writeFile(join(root, "manifests/broker.yaml"), "kind: Broker\n");
  await writeFile(join(root, "manifests/triggers/old.yaml"), "kind: Trigger\n");
  await rm(join(root, "catalogue/events.md"));
  const found = await differences(root, files);
  expect(found).toEqual([
    { path: "catalogue/events.md", why: "missing" },
    { path: "manifests/broker.yaml", why: "changed" },
    { path: "manifests/triggers/old.yaml", why: "no longer generated" },
  ]);
  await writeFiles(root, files, found);
  expect(await differences(root, files)).toEqual([]);
});
