import { expect, test } from "vitest";
import { UsageError } from "../command.ts";
import { conditionsText, moreLines, pageQuery } from "./list-options.ts";

test.each([
  [{ shown: 3, total: 3 }, { limit: undefined, page: undefined }, []],
  [{ shown: 2, total: 5 }, { limit: "2", page: undefined }, ["", "1 to 2 of 5; --page 2 shows more"]],
  [{ shown: 1, total: 5 }, { limit: "2", page: "3" }, []],
  [{ shown: 0, total: 5 }, { limit: "2", page: "9" }, ["page 9 is beyond the end"]],
  [{ shown: 0, total: 0 }, { limit: undefined, page: undefined }, []],
])("%j of a page %j", ({ shown, total }, page, lines) => {
  expect(moreLines(shown, total, page)).toEqual(lines);
});

test("a page counts from one", () => {
  expect(pageQuery({ limit: undefined, page: undefined })).toEqual({ limit: "50", page: "1" });
  for (const odd of ["0", "-1", "1.5", "x", "1e3", "12345678"])
    expect(() => pageQuery({ limit: odd, page: undefined })).toThrow(UsageError);
});

test("conditions hold what is set, and a comma would begin another one", () => {
  expect(conditionsText({ status: "draft|active", keyword: undefined, app_id: "a" })).toBe(
    "status=draft|active,app_id=a",
  );
  expect(conditionsText({ status: undefined })).toBeUndefined();
  expect(() => conditionsText({ keyword: "a,workspace=other" })).toThrow("leave out the comma");
});
