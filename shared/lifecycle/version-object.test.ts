import { expect, it } from "vitest";
import { cutText, metadataSpec, timestamp } from "./version-object.ts";

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

it("leaves out icons and annotations that would make an object too large", () => {
  const metadata = { name: "web", version: "1.0.0", apiVersion: "v2", icon: "https://example.com/web.png" };
  expect(metadataSpec(metadata)).toEqual(metadata);
  const annotations = { changes: "x".repeat(200_000) };
  const { icon: _, ...rest } = metadata;
  expect(metadataSpec({ ...metadata, icon: `data:image/png;base64,${"A".repeat(40_000)}`, annotations })).toEqual(rest);
});
