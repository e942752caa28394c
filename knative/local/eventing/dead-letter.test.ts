import { expect, test } from "vitest";
import { decodeHttp } from "../../../shared/adapters/cloudevents.ts";
import type { Event } from "../../../shared/event.ts";
import type { ErrorAnswer } from "../functions/subscriber.ts";
import { letterOf } from "./dead-letter.ts";

const event: Event = { specversion: "1.0", id: "1", source: "/me", type: "io.a", extensions: { x: "y" }, data: [1] };
const given = {
  functionName: "f",
  reason: "Status400",
  why: "the function answered 400",
  attempts: 2,
  body: Buffer.from("as it came"),
  headers: { "content-type": "text/plain" },
};

const lettered = (answer: Partial<ErrorAnswer>) => {
  const whole = { destination: "http://f", code: 400, body: new Uint8Array(), ...answer };
  const { headers, body } = letterOf({ ...given, event, answer: whole });
  return decodeHttp(headers, body)[0];
};

test("a letter says who gave up an event, why and after how many attempts", () => {
  expect(letterOf({ ...given, event, answer: undefined })).toEqual({
    functionName: "f",
    reason: "Status400",
    message: "the function answered 400",
    attempts: 2,
    cause: { source: "/me", id: "1", type: "io.a" },
    body: given.body,
    headers: given.headers,
  });
});

test("bytes that are no event stay as they came, whatever was answered", () => {
  const answer = { destination: "http://f", code: 400, body: Buffer.from("no") };
  const letter = letterOf({ ...given, event: undefined, answer });
  expect([letter.body, letter.headers, letter.cause]).toEqual([given.body, given.headers, undefined]);
});

test("an answer is added to the event as Knative adds it", () => {
  expect(lettered({ code: 422, body: Buffer.from("not so") })).toMatchObject({
    id: "1",
    data: [1],
    extensions: {
      x: "y",
      knativeerrordest: "http://f",
      knativeerrorcode: 422,
      knativeerrordata: Buffer.from("not so").toString("base64"),
    },
  });
});

test("of a long answer 1024 characters of base64 are kept", () => {
  const body = Buffer.alloc(5_000, "ab");
  expect(lettered({ body })?.extensions?.["knativeerrordata"]).toBe(body.toString("base64").slice(0, 1024));
});

test("control characters of an answer are left out", () => {
  const body = Buffer.from("a\u0000b\r\nc\u007fd");
  expect(lettered({ body })?.extensions?.["knativeerrordata"]).toBe(Buffer.from("abcd").toString("base64"));
});
