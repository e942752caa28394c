import fc from "fast-check";
import { expect, test } from "vitest";
import { retypeText, stampText, storeText } from "./storage-text.ts";

test("a revision is written into text without touching anything else", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (data, revision) => {
      const object = { data, kind: "Thing", metadata: { resourceVersion: "9", name: "x" }, apiVersion: "v1" };
      const stamped = JSON.parse(stampText(storeText(object), revision));
      expect(stamped).toEqual(
        JSON.parse(JSON.stringify({ ...object, metadata: { name: "x", resourceVersion: String(revision) } })),
      );
    }),
  );
});

test("a second revision replaces the first", () => {
  const text = stampText(storeText({ apiVersion: "v1", kind: "Thing", metadata: { name: "x" } }), 1);
  expect(JSON.parse(stampText(text, 22)).metadata).toEqual({ resourceVersion: "22", name: "x" });
});

test("the apiVersion can be exchanged", () => {
  const text = storeText({ apiVersion: "a.example/v1", kind: "Thing", metadata: { name: "x" } });
  expect(JSON.parse(retypeText(text, "a.example/v2"))).toMatchObject({ apiVersion: "a.example/v2", kind: "Thing" });
  expect(retypeText(text, "a.example/v1")).toBe(text);
});
