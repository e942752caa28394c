import { expect, it } from "vitest";
import { labelSelector } from "./label-selector.ts";

const labels = { "app.kubernetes.io/name": "web", tier: "front", empty: "" };

it.each([
  ["", true],
  ["tier=front", true],
  ["tier==front", true],
  ["tier = back", false],
  ["tier!=back", true],
  ["other!=x", true],
  ["empty=", true],
  ["tier", true],
  ["other", false],
  ["!other", true],
  ["!tier", false],
  ["tier in (back, front)", true],
  ["tier notin (back,front)", false],
  ["other notin (x)", true],
  ["other in (x)", false],
  ["tier in (front),app.kubernetes.io/name=web", true],
  ["tier in (front,back),other", false],
  ["toString", false],
])("%s selects: %s", (text, selected) => {
  expect(labelSelector(text)?.(labels)).toBe(selected);
});

it.each([
  "tier=front,,x",
  "=x",
  "tier in front",
  "tier in (a",
  "a b",
  "tier=a b",
  "(",
  "tier in ((a))",
  "a,".repeat(600),
])("%s is none", (text) => {
  expect(labelSelector(text)).toBeUndefined();
});
