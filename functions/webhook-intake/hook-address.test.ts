import { expect, test } from "vitest";
import { addressOf } from "./hook-address.ts";

const read = (path: string, query = "") => addressOf({ path, query: new URLSearchParams(query) });

test("names repository, receiver and, where there is one, the token", () => {
  expect(read("/hooks/repo-abc/harbor")).toEqual({ repo: "repo-abc", receiver: "harbor", token: "" });
  expect(read("/hooks/charts.example/quay", "token=ab&x=1")).toEqual({
    repo: "charts.example",
    receiver: "quay",
    token: "ab",
  });
});

test.each([
  "/",
  "/hooks",
  "/hooks/repo",
  "/hooks/repo/",
  "/hooks/repo/a/b",
  "/hooks//a",
  "/hooks/Repo/a",
  "/hooks/../a",
  "/hooks/repo/%61",
  `/hooks/${"r".repeat(400)}/a`,
])("%s names nothing", (path) => {
  expect(read(path)).toBeUndefined();
});
