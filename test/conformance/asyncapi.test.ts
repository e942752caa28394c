import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { functions, httpFunctions } from "../../functions/index.ts";
import { at, type Json, type JsonObject, listOf, objectOf, textOf } from "../../knative/local/api/schema/json.ts";
import { parseYaml } from "../../shared/adapters/yaml.ts";
import type { Event } from "../../shared/event.ts";
import { announce } from "../../shared/event.ts";

const path = fileURLToPath(new URL("../../knative/catalogue/asyncapi.yaml", import.meta.url));
const document = parseYaml(readFileSync(path, "utf8")) as JsonObject;
const messages = Object.entries(objectOf(at(document, "components", "messages")));

test("every reference leads somewhere", () => {
  const missing = references(document).filter((reference) => resolve(reference) === undefined);
  expect(missing).toEqual([]);
});

test("every function receives what it handles and sends what it announces, and no more", () => {
  const operations = Object.values(objectOf(document.operations)).map((operation) => {
    const channel = textOf(at(operation, "channel", "$ref")).replace("#/channels/", "");
    return `${textOf(at(operation, "action"))} ${channel}`;
  });
  const expected = [
    ...functions.flatMap(({ function: { on, emits } }) => [
      `receive ${on.type}`,
      ...emits.map(({ type }) => `send ${type}`),
    ]),
    ...httpFunctions.flatMap(({ emits }) => emits.map(({ type }) => `send ${type}`)),
  ];
  expect(operations.sort()).toEqual(expected.sort());
});

describe.each(messages)("%s", (type, message) => {
  // The references of a payload are those of the whole document.
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const validate = ajv.compile({ ...objectOf(at(message, "payload")), components: at(document, "components") });

  test("has an example that is valid", () => {
    const [example] = listOf(at(message, "examples"));
    expect(validate(at(example, "payload")), ajv.errorsText(validate.errors)).toBe(true);
    expect(validate({ ...objectOf(at(example, "payload")), type: "io.example.other" })).toBe(false);
  });

  test("describes what the host really sends", () => {
    const definition = functions
      .flatMap(({ function: { on, emits } }) => [on, ...emits])
      .find((each) => each.type === type);
    if (!definition) throw new Error(`no function knows ${type}`);
    const cause: Event = { specversion: "1.0", id: "1", source: "/test", type: "io.example.cause", data: {} };
    const context = { definition, cause, now: new Date(0) };
    const event = announce("test", definition.of("helmrepos/x", definition.example), context);
    expect(validate(structuredClone(event)), ajv.errorsText(validate.errors)).toBe(true);
  });
});

function references(value: Json | undefined): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = textOf(at(value, "$ref"));
  return [...(own === "" ? [] : [own]), ...Object.values(value).flatMap(references)];
}

function resolve(reference: string): Json | undefined {
  return at(document, ...reference.replace("#/", "").split("/"));
}
