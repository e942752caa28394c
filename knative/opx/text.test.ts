import { expect, test } from "vitest";
import { durationMs } from "./duration.ts";
import { age, bytes, columns, fields } from "./text.ts";

const NOW = new Date("2026-05-04T12:00:00Z");

test("columns are as wide as what is in them", () => {
  expect(
    columns(
      ["name", "state"],
      [
        ["a", "syncing"],
        ["longer", ""],
      ],
    ),
  ).toEqual(["NAME    STATE", "a       syncing", "longer"]);
  expect(
    fields([
      ["a", 1],
      ["none", undefined],
      ["bc", "x"],
    ]),
  ).toEqual(["a   1", "bc  x"]);
});

test.each([
  ["2026-05-04T11:59:30Z", "30s"],
  ["2026-05-04T12:05:00Z", "5m"],
  ["2026-05-04T09:00:00Z", "3h"],
  ["2026-05-01T12:00:00Z", "3d"],
  ["2026-05-04T12:00:00Z", "0s"],
  [undefined, ""],
])("%s is %s away", (time, text) => {
  expect(age(time, NOW)).toBe(text);
});

test("bytes are told in their unit", () => {
  expect([0, 1023, 1536, 20 * 1024 ** 2, 5 * 1024 ** 4].map(bytes)).toEqual([
    "0 B",
    "1023 B",
    "1.5 KiB",
    "20.0 MiB",
    "5120.0 GiB",
  ]);
});

test("durations are read in their unit, seconds without one", () => {
  expect(["90", "90s", "1.5m", "2h", "7d", "250ms"].map((text) => durationMs("--timeout", text))).toEqual([
    90_000, 90_000, 90_000, 7_200_000, 604_800_000, 250,
  ]);
  expect(() => durationMs("--timeout", "soon")).toThrow("--timeout soon is no duration; write 90s, 5m or 2h");
});

test("what somebody else wrote cannot move the cursor", () => {
  expect(columns(["name"], [["a\u001b[2Jb\nc"]])).toEqual(["NAME", "a [2Jb c"]);
  expect(fields([["name", "a\r\nb"]])).toEqual(["name  a b"]);
});
