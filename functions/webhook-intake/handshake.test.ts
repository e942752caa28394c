import { expect, test } from "vitest";
import { consent } from "./handshake.ts";

const ask = (headers: Record<string, string>) => consent({ headers }, 600);

test("whoever does not ask for consent learns what is allowed", () => {
  expect(ask({})).toEqual({ status: 204, headers: { allow: "POST, OPTIONS" } });
});

test.each([
  [undefined, "600"],
  ["120", "120"],
  ["601", "600"],
  ["0", "600"],
  ["-1", "600"],
  ["many", "600"],
])("asked for a rate of %s, it allows %s a minute", (rate, allowed) => {
  const asked = {
    "webhook-request-origin": "a.example",
    ...(rate === undefined ? {} : { "webhook-request-rate": rate }),
  };
  expect(ask(asked)).toEqual({
    status: 200,
    headers: { allow: "POST, OPTIONS", "webhook-allowed-origin": "a.example", "webhook-allowed-rate": allowed },
  });
});
