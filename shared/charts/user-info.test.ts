import { expect, test } from "vitest";
import { userInfoOf, withoutUserInfo } from "./user-info.ts";

test.each([
  [
    "https://ann:pa%40ss@charts.example/a?b=c@d#e",
    { username: "ann", password: "pa@ss" },
    "https://charts.example/a?b=c@d#e",
  ],
  ["https://ann:100%@charts.example", { username: "ann", password: "100%" }, "https://charts.example"],
  ["oci://ann:pass@registry.example/x", { username: "ann", password: "pass" }, "oci://registry.example/x"],
  ["https://ann@charts.example", undefined, "https://charts.example"],
  ["https://:pass@charts.example", undefined, "https://charts.example"],
  ["https://charts.example/@a", undefined, "https://charts.example/@a"],
  ["no url", undefined, "no url"],
])("%s", (url, expected, bare) => {
  expect(userInfoOf(url)).toEqual(expected);
  expect(withoutUserInfo(url)).toBe(bare);
});
