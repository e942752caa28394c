import { expect, it } from "vitest";
import { cut, pageOf } from "./paging.ts";

const LIST = Array.from({ length: 25 }, (_, index) => index);
const read = (query: string) => cut(LIST, pageOf(new URLSearchParams(query)));

it.each([
  ["", 0, 10],
  ["paging=limit=5,page=2", 5, 10],
  ["paging=limit=5, page=2", 0, 10],
  ["paging=nonsense&limit=3&page=2", 0, 10],
  ["limit=3&page=2", 3, 6],
  ["limit=x&page=y", 0, 10],
  ["limit=10&page=3", 20, 25],
  ["limit=-1", 0, 25],
  ["paging=limit=-1,page=3", 0, 25],
  ["limit=4&page=1&start=7", 7, 11],
  ["limit=0", 0, 0],
  ["limit=-2", 0, 0],
  ["page=0", 0, 0],
  ["limit=10&page=9", 25, 25],
])("%s is %i to %i, and the total is the list's", (query, from, to) => {
  expect(read(query)).toEqual({ items: LIST.slice(from, to), total: 25 });
});
