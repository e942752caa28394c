import { CloudEvent, HTTP } from "cloudevents";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BATCH_HEADERS,
  decodeHttp,
  decodeNats,
  encodeBatch,
  encodeNats,
  encodeStructured,
  STRUCTURED_HEADERS,
} from "../../../shared/adapters/cloudevents.ts";
import type { Event } from "../../../shared/event.ts";

const ATTRIBUTES = { specversion: "1.0", id: "1", source: "/s", type: "t" } as const;
const BINARY = { "ce-specversion": "1.0", "ce-id": "1", "ce-source": "/s", "ce-type": "t" };
const STRUCTURED = { "content-type": "application/cloudevents+json" };

const bytes = (text: string) => Buffer.from(text);
const json = (value: unknown) => bytes(JSON.stringify(value));

function one(events: readonly Event[]): Event {
  const [event] = events;
  if (!event || events.length !== 1) throw new Error(`${events.length} events`);
  return event;
}

const structured = (value: unknown, headers: Record<string, string> = STRUCTURED) =>
  one(decodeHttp(headers, json(value)));
const binary = (headers: Record<string, string>, body = "") => one(decodeHttp({ ...BINARY, ...headers }, bytes(body)));

/** Each test shows the defect of the SDK and that it is none of ours. */
describe("where the SDK is wrong", () => {
  const sdk = (headers: Record<string, string>, body: string) => HTTP.toEvent({ headers, body }) as CloudEvent<unknown>;

  test.each([0, false, null])("data %j of a structured event is kept", (data) => {
    expect(sdk(STRUCTURED, JSON.stringify({ ...ATTRIBUTES, data })).data).toBe(undefined);
    expect(structured({ ...ATTRIBUTES, data }).data).toBe(data);
  });

  test("a missing id is refused, not invented", () => {
    const { id: _, ...rest } = ATTRIBUTES;
    expect(sdk(STRUCTURED, JSON.stringify(rest)).id).toHaveLength(36);
    expect(() => structured(rest)).toThrow("attribute id is missing");
  });

  test.each(["application/cloudevents+json; charset=UTF-8", "Application/CloudEvents+JSON;charset=utf-8"])(
    "content type %s is structured",
    (type) => {
      const headers = { "content-type": type };
      expect(() => sdk(headers, JSON.stringify({ ...ATTRIBUTES, data: 1 }))).toThrow();
      expect(structured({ ...ATTRIBUTES, data: 1 }, headers).data).toBe(1);
    },
  );

  test.each(["application/vnd.x+json", "application/json;charset=utf-8"])("a body of type %s is parsed", (type) => {
    const headers = { "content-type": type };
    expect(sdk({ ...BINARY, ...headers }, '{"a":1}').data).toBe('{"a":1}');
    expect(binary(headers, '{"a":1}').data).toEqual({ a: 1 });
  });

  test("a JSON number stays a number", () => {
    const headers = { "content-type": "application/json" };
    expect(sdk({ ...BINARY, ...headers }, "5").data).toBe("5");
    expect(binary(headers, "5").data).toBe(5);
  });

  test("space before the JSON of a structured event does no harm", () => {
    const body = ` ${JSON.stringify({ ...ATTRIBUTES, data: { a: 1 } })}`;
    expect(() => sdk(STRUCTURED, body)).toThrow();
    expect(one(decodeHttp(STRUCTURED, bytes(body))).data).toEqual({ a: 1 });
  });

  test("header values are percent-decoded once, quotes are taken off", () => {
    const headers = { "ce-subject": "%E2%82%AC 5%2520", "ce-title": '"a \\"b\\""' };
    expect(sdk({ ...BINARY, ...headers }, "").subject).toBe("%E2%82%AC 5%2520");
    expect(binary(headers)).toMatchObject({ subject: "€ 5%20", extensions: { title: 'a "b"' } });
  });

  test("a string under application/json is sent as JSON", () => {
    const event = { ...ATTRIBUTES, datacontenttype: "application/json", data: "5" };
    const sent = HTTP.binary(new CloudEvent(event));
    expect(sent.body).toBe("5");
    expect(structured(JSON.parse(Buffer.from(encodeStructured(event)).toString())).data).toBe("5");
  });

  test("an event without data gets no content type", () => {
    expect(HTTP.binary(new CloudEvent(ATTRIBUTES)).headers).toHaveProperty("content-type");
    expect(JSON.parse(Buffer.from(encodeStructured({ ...ATTRIBUTES, data: undefined })).toString())).toEqual(
      ATTRIBUTES,
    );
  });

  test("a time that is none is refused, and no digit of a good one is lost", () => {
    expect(Date.parse(sdk(STRUCTURED, JSON.stringify({ ...ATTRIBUTES, time: "noon" })).time ?? "")).not.toBeNaN();
    expect(() => structured({ ...ATTRIBUTES, time: "noon" })).toThrow("attribute time");
    const time = "2026-11-20T16:00:00.123456789Z";
    expect(structured({ ...ATTRIBUTES, time }).time).toBe(time);
  });

  test("data_base64 is bytes", () => {
    const body = { ...ATTRIBUTES, data_base64: "AQID" };
    expect(sdk(STRUCTURED, JSON.stringify(body)).data).toBeInstanceOf(Uint32Array);
    expect(structured(body).data).toEqual(new Uint8Array([1, 2, 3]));
  });

  test("a name that breaks the rules is refused", () => {
    expect(sdk(STRUCTURED, JSON.stringify({ ...ATTRIBUTES, My_Ext: "x" }))).toHaveProperty("My_Ext");
    expect(() => structured({ ...ATTRIBUTES, My_Ext: "x" })).toThrow('attribute name "My_Ext"');
  });
});

describe("what is refused, by name", () => {
  test.each<[string, unknown, string]>([
    ["an unknown version", { ...ATTRIBUTES, specversion: "0.3" }, 'specversion is "0.3"'],
    ["an empty type", { ...ATTRIBUTES, type: "" }, "attribute type is empty"],
    ["a number as id", { ...ATTRIBUTES, id: 5 }, "attribute id is 5"],
    ["an object as extension", { ...ATTRIBUTES, ext: {} }, "attribute ext is"],
    ["a fraction as extension", { ...ATTRIBUTES, ext: 1.5 }, "attribute ext is 1.5"],
    ["a long integer", { ...ATTRIBUTES, ext: 2 ** 31 }, "attribute ext is 2147483648"],
    ["a control character", { ...ATTRIBUTES, subject: "a\nb" }, "attribute subject holds control"],
    ["half a surrogate pair", { ...ATTRIBUTES, subject: "\ud800" }, "attribute subject holds"],
    ["a long value", { ...ATTRIBUTES, ext: "x".repeat(5000) }, "attribute ext has more than 4096"],
    ["data twice", { ...ATTRIBUTES, data: 1, data_base64: "AQ==" }, "both data and data_base64"],
    ["bad base64", { ...ATTRIBUTES, data_base64: "?" }, "data_base64 is not base64"],
    ["a list", [ATTRIBUTES], "a JSON object"],
    [
      "a flood of extensions",
      { ...ATTRIBUTES, ...Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`x${i}`, i])) },
      "65 extension attributes",
    ],
  ])("%s", (_, value, message) => {
    expect(() => structured(value)).toThrow(message);
  });

  test.each<[string, Record<string, string>, Uint8Array, string]>([
    ["no event at all", { "content-type": "application/json" }, bytes("{}"), "neither a ce-specversion header"],
    [
      "another format",
      { "content-type": "application/cloudevents+avro" },
      bytes(""),
      "application/cloudevents+avro is not",
    ],
    ["broken JSON", STRUCTURED, bytes("{"), "the event is not JSON"],
    ["broken UTF-8", STRUCTURED, Buffer.from([0x22, 0xff, 0x22]), "the event is not UTF-8"],
    [
      "another charset",
      { "content-type": "application/cloudevents+json; charset=utf-16" },
      bytes("{}"),
      "charset utf-16",
    ],
    ["a data header", { ...BINARY, "ce-data": "x" }, bytes(""), 'attribute name "data"'],
    ["broken percent-encoding", { ...BINARY, "ce-subject": "%ff" }, bytes(""), "header ce-subject"],
    ["deep nesting", STRUCTURED, bytes("[".repeat(100_000)), "deeper than 512"],
    ["a batch that is none", BATCH_HEADERS, bytes("{}"), "a batch is a JSON list"],
    ["one bad event in a batch", BATCH_HEADERS, json([ATTRIBUTES, {}]), "specversion is missing"],
  ])("%s", (...[, headers, body, message]) => {
    expect(() => decodeHttp(headers, body)).toThrow(message);
    expect(() => decodeHttp(headers, body)).toThrow(expect.objectContaining({ kind: "Invalid" }));
  });
});

test("brackets in strings do not nest", () => {
  expect(structured({ ...ATTRIBUTES, data: `"${"[".repeat(10_000)}` }).data).toHaveLength(10_001);
});

test("an attribute that is null is not set", () => {
  expect(structured({ ...ATTRIBUTES, subject: null, ext: null })).toEqual({ ...ATTRIBUTES, data: undefined });
});

test("bodies by content type: text stays text, the unknown stays bytes, nothing is no data", () => {
  expect(binary({ "content-type": "text/plain; charset=utf-8" }, "ä").data).toBe("ä");
  expect(binary({ "content-type": "application/octet-stream" }, "ab").data).toEqual(bytes("ab"));
  expect(binary({}, "ab").data).toEqual(bytes("ab"));
  expect(binary({ "content-type": "application/json" }).data).toBe(undefined);
});

test("values that senders put into headers as they are arrive as they are", () => {
  const raw = Buffer.from("grün 100%").toString("latin1");
  expect(binary({ "ce-subject": raw }).subject).toBe("grün 100%");
});

test("a batch comes apart, an empty one too", () => {
  const events = [1, 2, 3].map((n) => ({ ...ATTRIBUTES, id: String(n), datacontenttype: "application/json", data: n }));
  expect(decodeHttp(BATCH_HEADERS, encodeBatch(events))).toEqual(events);
  expect(decodeHttp(BATCH_HEADERS, bytes("[]"))).toEqual([]);
});

test("a NATS message is read in all three forms", () => {
  const data = { a: 1 };
  const event = { ...ATTRIBUTES, datacontenttype: "application/json", data };
  const { headers, payload } = encodeNats(event);
  expect(decodeNats(headers, payload)).toEqual(event);
  expect(decodeNats({}, payload)).toEqual(event);
  expect(decodeNats({ ...BINARY, "ce-datacontenttype": "application/json" }, json(data))).toEqual(event);
  expect(decodeNats({ ...BINARY, "content-type": "application/json" }, json(data))).toEqual(event);
  expect(() => decodeNats({}, bytes("hello"))).toThrow("not JSON");
});

/** Text without control characters, as attributes must be. */
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter((value) => !/\p{Cc}/u.test(value));

const anyEvent = fc.record(
  {
    specversion: fc.constant("1.0" as const),
    id: text,
    source: fc.webPath().map((path) => `/s${path}`),
    type: text,
    subject: text,
    time: fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString()),
    datacontenttype: fc.constant("application/json"),
    extensions: fc.dictionary(
      fc.stringMatching(/^x[a-z0-9]{1,18}$/),
      fc.oneof(text, fc.boolean(), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      { minKeys: 1, maxKeys: 5, noNullPrototype: true },
    ),
    data: fc
      .jsonValue({ noUnicodeString: false } as never)
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  },
  { requiredKeys: ["specversion", "id", "source", "type", "datacontenttype", "data"] },
);

test("whatever is encoded comes back, and the SDK's strict check accepts it", () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const encoded = encodeStructured(event as Event);
      expect(one(decodeHttp(STRUCTURED_HEADERS, encoded))).toEqual(event);
      const { data: _, ...attributes } = JSON.parse(Buffer.from(encoded).toString()) as Record<string, unknown>;
      const checked = new CloudEvent(attributes as Partial<CloudEvent>, true);
      expect(checked.id).toBe(event.id);
    }),
    { numRuns: 300 },
  );
});

test("arbitrary bytes are an event or an Invalid, never another error", () => {
  const types = fc.constantFrom(
    "application/cloudevents+json",
    "application/cloudevents-batch+json",
    "application/json",
    "",
  );
  fc.assert(
    fc.property(types, fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.json().map(bytes)), (type, body) => {
      try {
        decodeHttp({ "content-type": type }, body);
      } catch (error) {
        expect(error).toMatchObject({ kind: "Invalid" });
      }
    }),
    { numRuns: 500 },
  );
});
