import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { differences, knownDifference, sides } from "./known-differences.ts";

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.ts"));
const check = (filepath: string, fullTestName: string) => ({ fullTestName, file: { filepath } });

describe("the list of known differences", () => {
  test("names sides that there are, and gives reasons", () => {
    for (const { side, reason } of differences) {
      expect(sides).toContain(side);
      expect(reason).toMatch(/\.$/);
    }
  });

  test("names checks that are written", () => {
    for (const { checks } of differences) {
      const [file = "", ...titles] = checks.split(" > ");
      expect(files).toContain(`${file}.test.ts`);
      const text = readFileSync(join(import.meta.dirname, `${file}.test.ts`), "utf8");
      for (const title of titles) expect(text, checks).toContain(title);
    }
  });

  test("lets a check, or a group of them, go on the named side only", () => {
    const list = [{ checks: "objects > create", side: "cluster", reason: "A reason." }];
    const reason = (side: (typeof sides)[number], title: string) =>
      knownDifference(side, check("/x/objects.test.ts", title), list);
    expect(reason("cluster", "create")).toBe("A reason.");
    expect(reason("cluster", "create > one")).toBe("A reason.");
    expect(reason("laptop", "create > one")).toBeUndefined();
    expect(reason("cluster", "created > one")).toBeUndefined();
    expect(knownDifference("cluster", check("/x/lists.test.ts", "create"), list)).toBeUndefined();
  });
});
