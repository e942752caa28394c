import { describe, expect, it } from "vitest";
import { readProvenance } from "./provenance.ts";

const digest = `sha256:${"ab".repeat(32)}`;
const WEB = { name: "web", version: "1.0.0+build.7", digest };

function text(over: { name?: string; version?: string; file?: string; sum?: string } = {}): string {
  const { name = "web", version = WEB.version, file = "web-1.0.0+build.7.tgz", sum = digest } = over;
  return `apiVersion: v2\ndescription: |\n  Lines\n  ...\nname: ${name}\nversion: ${version}\n\n...\nfiles:\n  ${file}: ${sum}\n`;
}

it("states the digest of the chart that was asked for", () => {
  expect(readProvenance(text(), WEB)).toEqual({ ok: true, digest });
  expect(readProvenance(text(), { name: WEB.name, version: WEB.version })).toEqual({ ok: true, digest });
});

describe("vouches for nothing", () => {
  it.each([
    ["another chart", text({ name: "db" }), "WrongChart"],
    ["another version", text({ version: "1.0.0" }), "WrongChart"],
    ["another file", text({ file: "web-0.9.0.tgz" }), "WrongChart"],
    ["a name that every object has", text({ file: "constructor" }), "WrongChart"],
    ["other bytes", text({ sum: `sha256:${"cd".repeat(32)}` }), "DigestMismatch"],
    ["a digest of another kind", text({ sum: `sha1:${"ab".repeat(20)}` }), "WrongChart"],
    ["no digest", text({ sum: "" }), "WrongChart"],
    ["metadata only", "name: web\nversion: 1.0.0\n", "ProvenanceUnreadable"],
    ["a third part", `${text()}\n...\nfiles: {}\n`, "ProvenanceUnreadable"],
    ["no mapping", "- web\n\n...\n- files\n", "ProvenanceUnreadable"],
    ["no YAML", "name: [\n\n...\nfiles: {\n", "ProvenanceUnreadable"],
    ["nothing", "", "ProvenanceUnreadable"],
    [
      "a crowd of aliases",
      `a: &a [x]\nb: &b [${"*a,".repeat(200)}]\nc: [${"*b,".repeat(200)}]\n\n...\nfiles: {}\n`,
      "ProvenanceUnreadable",
    ],
  ])("where it is for %s", (_, signed, reason) => {
    expect(readProvenance(signed, WEB)).toMatchObject({ ok: false, reason });
  });
});
