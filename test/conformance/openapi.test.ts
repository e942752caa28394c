import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { openApi } from "../../functions/rest-gateway/openapi.ts";
import { ROUTES } from "../../functions/rest-gateway/routes.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly security?: readonly object[];
}
const document = openApi() as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
);

test("the document is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect([valid, errors, validator.version]).toEqual([true, undefined, "3.1"]);
});

test("it has every route and no other", () => {
  const routes = ROUTES.map(({ method, pattern }) => `${method} ${pattern.text}`);
  expect(new Set(routes).size).toBe(routes.length);
  expect(operations.map(({ name }) => name).sort()).toEqual(routes.sort());
});

test("operations have names of their own, and say each parameter of their path", () => {
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  for (const { path, operation } of operations) {
    const inPath = operation.parameters.filter((each) => each.in === "path").map(({ name }) => `{${name}}`);
    expect(inPath, path).toEqual(path.match(/\{[^}]+\}/g) ?? []);
  }
});

test("all references lead somewhere", () => {
  const references = JSON.stringify(document).match(/#\/components\/[^"]+/g) ?? [];
  expect(references.length).toBeGreaterThan(100);
  for (const reference of new Set(references)) {
    const target = reference
      .split("/")
      .slice(1)
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
    expect(target, reference).toBeDefined();
  }
});

test("only what is open to everybody needs no token", () => {
  const open = operations.filter(({ operation }) => operation.security?.length === 0).map(({ name }) => name);
  expect(open).toEqual(["GET /kapis/openpitrix.io/openapi.json"]);
});
