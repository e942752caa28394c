import { expect, it } from "vitest";
import { conditionsOf, hasKeyword, meets } from "./conditions.ts";

const read = (conditions: string) => conditionsOf(new URLSearchParams({ conditions }));

it("reads terms, passes over fuzzy ones, and takes a lone key for an empty value", () => {
  expect([...(read("status=active|draft,keyword=re dis,isv~x,alone,a=b=c") ?? [])]).toEqual([
    ["status", "active|draft"],
    ["keyword", "re dis"],
    ["alone", ""],
    ["a", "b=c"],
  ]);
  expect(read("")?.size).toBe(0);
});

it.each(["a b=c", "(a)=b", "a{=b", "x=1,[y]=2"])("refuses the key in %s", (text) => {
  expect(read(text)).toBe(undefined);
});

it("compares alternatives exactly and keywords as parts, whatever the case", () => {
  const asked = read("status=active|draft,keyword=DiS") ?? new Map();
  expect(["active", "draft", "act"].map((state) => meets(asked, "status", state))).toEqual([true, true, false]);
  expect(meets(asked, "app_id", "anything")).toBe(true);
  expect([hasKeyword(asked, "redis"), hasKeyword(asked, "nats", undefined)]).toEqual([true, false]);
  expect(hasKeyword(new Map(), undefined)).toBe(true);
});
