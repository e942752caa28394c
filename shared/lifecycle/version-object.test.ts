import { expect, it } from "vitest";
import { cutText, timestamp } from "./version-object.ts";

it.each(["2024-02-29T23:59:59Z", "2023-01-01T00:00:00.123456789+02:00"])("takes %s as a time", (text) => {
  expect(timestamp(text)).toBe(text);
});

it.each(["2023-02-30T00:00:00Z", "2023-01-01T24:00:00Z", "2023-01-01T23:59:60Z", "2023-01-01", "yesterday", undefined])(
  "leaves %s out, for which Kubernetes would refuse the whole object",
  (text) => {
    expect(timestamp(text)).toBeUndefined();
  },
);

it("cuts a text between characters", () => {
  const cut = cutText(`${"a".repeat(511)}\u00e4${"b".repeat(9)}`);
  expect(cut).toBe("a".repeat(511));
});
