import { expect, test } from "vitest";
import { parseOptions } from "./options.ts";

test("without arguments everything is kept in .local and runs in one process by Knative's own rules", () => {
  expect(parseOptions([])).toEqual({
    help: false,
    state: ".local",
    memory: false,
    processes: false,
    strictNatss: false,
    stage: true,
    ports: { kubernetes: 16_443, nats: 14_222, ingress: 18_080, uploads: 18_081, http: 18_082 },
  });
});

test("natss's rules need functions behind HTTP", () => {
  expect(parseOptions(["--strict-natss"])).toMatchObject({ processes: true, strictNatss: true });
  expect(parseOptions(["--processes"])).toMatchObject({ processes: true, strictNatss: false });
});

test("with --memory nothing is kept unless a folder is named", () => {
  expect(parseOptions(["--memory"])).toMatchObject({ memory: true, state: undefined });
  expect(parseOptions(["--memory", "--state", "x"])).toMatchObject({ memory: true, state: "x" });
});

test.each([[["--nats-port", "70000"]], [["--ingress-port", "x"]]])("refuses %j", (args) => {
  expect(() => parseOptions(args)).toThrow(/^--[a-z]+-port \w+ is no port; give a number from 0 to 65535$/);
});

test("refuses what it does not know", () => {
  expect(() => parseOptions(["--strict"])).toThrow("--strict");
});
