import { describe, expect, test } from "vitest";
import { gitAddress, lastSegment, pathBelow, plainAddress } from "./addresses.ts";

describe("one address lies below another", () => {
  test.each<[string, string, readonly string[] | undefined]>([
    ["oci://reg.example/apps", "reg.example/apps/web", ["web"]],
    ["oci://reg.example/apps", "reg.example/apps/team/web", ["team", "web"]],
    ["oci://reg.example/apps/web", "https://REG.example/apps/web", []],
    ["oci://reg.example/apps/", "reg.example/Apps/web", ["web"]],
    ["oci://reg.example/apps", "reg.example/application/web", undefined],
    ["oci://reg.example/apps", "reg.example.evil/apps/web", undefined],
    ["oci://reg.example/apps", "user:password@reg.example/apps/web", ["web"]],
    ["oci://reg.example:443/apps", "reg.example/apps/web", ["web"]],
    ["https://reg.example:443", "https://reg.example/web", ["web"]],
    ["http://reg.example:80", "http://reg.example/web", ["web"]],
    ["oci://reg.example:5000/apps", "reg.example/apps/web", undefined],
    ["https://reg.example:80", "https://reg.example/web", undefined],
    ["oci://docker.io/acme", "index.docker.io/acme/web", ["web"]],
    ["https://github.com/acme/charts", "https://github.com/acme/charts.git", []],
    ["https://charts.example.org/stable/?x=1", "charts.example.org/stable#fragment", []],
    ["", "reg.example/apps", undefined],
  ])("%s, %s", (base, address, expected) => {
    expect(pathBelow(base, address)).toEqual(expected);
  });
});

test("events carry an address without scheme, user and default port", () => {
  expect(plainAddress("https://me:secret@Reg.example:443/Apps/web/")).toBe("reg.example/Apps/web");
});

test("the last segment names a repository that is one chart", () => {
  expect([lastSegment("oci://reg.example/apps/web"), lastSegment("oci://reg.example")]).toEqual(["web", undefined]);
});

test.each([
  ["https://acme.github.io/charts", "github.com/acme/charts"],
  ["https://acme.github.io/charts/stable", "github.com/acme/charts"],
  ["https://acme.github.io", "github.com/acme/acme.github.io"],
  ["https://acme.gitlab.io/web/charts", "gitlab.com/acme/web"],
  ["https://raw.githubusercontent.com/acme/charts/main/stable", "github.com/acme/charts"],
  ["https://charts.example.org/stable", undefined],
])("%s is served from %s", (url, expected) => {
  expect(gitAddress(url)).toBe(expected);
});
