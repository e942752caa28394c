import { expect, test } from "vitest";
import type { Event } from "../../../shared/event.ts";
import { replyWithHops, withoutHops } from "./hops.ts";

const event: Event = { specversion: "1.0", id: "1", source: "/a", type: "a", data: 1 };
const reply: Event = { specversion: "1.0", id: "2", source: "/f", type: "b", extensions: { x: "y" }, data: 2 };
const withHops = (knativebrokerttl: number | string) => ({ ...event, extensions: { knativebrokerttl } });

test("replies to replies come to an end after 255 hops", () => {
  let hops = 0;
  for (let next: Event | undefined = event; next; next = replyWithHops(next, reply)) hops++;
  expect(hops).toBe(255);
});

test("a reply keeps its own extensions", () => {
  expect(replyWithHops(withHops(7), reply)).toEqual({ ...reply, extensions: { x: "y", knativebrokerttl: 6 } });
});

test.each([1, 0, -1, "many"])("with %j left there is no further hop", (left) => {
  expect(replyWithHops(withHops(left), reply)).toBeUndefined();
});

test("subscribers do not see the count", () => {
  expect(withoutHops({ ...event, extensions: { x: "y", knativebrokerttl: 9 } })).toEqual({
    ...event,
    extensions: { x: "y" },
  });
  expect(withoutHops(event)).toBe(event);
});
