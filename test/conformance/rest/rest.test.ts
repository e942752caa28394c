import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApi } from "../../../functions/rest-gateway/openapi.ts";
import { ROUTES } from "../../../functions/rest-gateway/routes.ts";
import { openRestTarget, type RestTarget } from "../../support/rest-target.ts";
import { until } from "../../support/until.ts";
import { DONE_CASES, REFUSED_CASES } from "./act-cases.ts";
import { ADMIN_CASES } from "./admin-cases.ts";
import { ask, expectAnswer } from "./ask.ts";
import type { Case } from "./case.ts";
import { releaseCases, rightCases, routeOf, workspaceCases } from "./derived.ts";
import { type Fixture, makeFixture } from "./fixture.ts";
import { CONDITIONS, GENERIC, PAGES } from "./list-cases.ts";
import { CATALOG_CASES, PACKAGE_CASES } from "./package-cases.ts";
import { READ_CASES } from "./read-cases.ts";

let target: RestTarget;
let fixture: Fixture;

beforeAll(async () => {
  target = await openRestTarget();
  fixture = await makeFixture(target);
});
afterAll(() => target?.close());

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(openApi(), "api");
const promised = new Map(ROUTES.map((route) => [routeOf(route), route.contract.answer]));

async function hold(given: Case): Promise<void> {
  const fits = async () => expectAnswer(await ask(target, fixture, given), given, fixture);
  if (given.soon)
    await until(given.what, () =>
      fits().then(
        () => true,
        () => false,
      ),
    );
  const answer = await ask(target, fixture, given);
  expectAnswer(answer, given, fixture);
  if (given.status !== 200 || given.type !== undefined) return;
  const validate = ajv.compile({ $ref: `api#/components/schemas/Answer.${promised.get(given.route)}` });
  expect(validate(JSON.parse(answer.text)), JSON.stringify(validate.errors)).toBe(true);
}

const DONE = [...ADMIN_CASES, ...DONE_CASES];
const groups: Readonly<Record<string, readonly Case[]>> = {
  "who may do what": rightCases(ROUTES),
  "paths of another workspace": workspaceCases(ROUTES),
  "what can be read": READ_CASES,
  releases: releaseCases(ROUTES),
  "what is refused": REFUSED_CASES,
  packages: PACKAGE_CASES,
  "the store": CATALOG_CASES,
};
const own = Object.entries(groups)
  .filter(([name]) => name !== "who may do what")
  .flatMap(([, cases]) => cases);

test.each(ROUTES.map(routeOf))("%s has a case of its own", (route) => {
  expect([...own, ...DONE].filter((each) => each.route === route)).not.toEqual([]);
});

test("every case is about a route that there is", () => {
  const known = new Set(ROUTES.map(routeOf));
  const all = [...Object.values(groups).flat(), ...DONE].map(({ route }) => route);
  expect(all.filter((route) => !known.has(route))).toEqual([]);
});

describe.each(Object.entries(groups))("%s", (_, cases) => {
  test.each(cases)("$route: $what: $status", hold);
});

test.each(ROUTES.filter(({ method, right }) => method === "GET" && right !== "open").map(routeOf))(
  "%s is the same with a slash at its end",
  async (route) => {
    const bare = await ask(target, fixture, { route, what: "", status: 0 });
    expect(await ask(target, fixture, { route: `${route}/`, what: "", status: 0 })).toEqual(bare);
  },
);

const LISTED = "GET /v1/workspaces/{workspace}/apps/{app}/versions";
const params = { app: "{listedApp}" };
const minorsOf = (text: string) =>
  JSON.parse(text).items.map(({ name }: { name: string }) => Number(/^0\.(\d+)\.0 /.exec(name)?.[1]));
const numbers = (first: number, last: number) =>
  first === 0 ? [] : Array.from({ length: last - first + 1 }, (_, at) => first + at);

test.each(PAGES)("the page %s is %i to %i, and the total is that of the list", async (query, first, last) => {
  const { text } = await ask(target, fixture, { route: LISTED, what: "", params, query, status: 200 });
  expect([minorsOf(text), JSON.parse(text).total_count]).toEqual([numbers(first, last), 12]);
});

test.each(CONDITIONS)("%s finds %o", async (query, minors, total) => {
  const { text } = await ask(target, fixture, { route: LISTED, what: "", params, query, status: 200 });
  expect([minorsOf(text), JSON.parse(text).total_count]).toEqual([minors, total]);
});

test.each(GENERIC)("the generic query %s finds %i and shows %i", async (query, total, onPage) => {
  const route = "GET /v2alpha1/workspaces/{workspace}/apps/{app}/versions";
  const { text } = await ask(target, fixture, { route, what: "", params, query, status: 200 });
  const { items, totalItems } = JSON.parse(text);
  expect([totalItems, items.length]).toEqual([total, onPage]);
});

test.each([
  ["PUT /v1/apps", 405, "PUT is not served at /kapis/openpitrix.io/v1/apps"],
  ["GET /v1/nothing", 404, "there is nothing at /kapis/openpitrix.io/v1/nothing"],
  ["GET /v3/apps", 404, "there is nothing at /kapis/openpitrix.io/v3/apps"],
  ["GET /v1/workspaces/x/reviews", 404, "there is nothing at /kapis/openpitrix.io/v1/workspaces/x/reviews"],
])("%s is no route: %i", async (route, status, text) => {
  const given = { route, what: "", status, text };
  expectAnswer(await ask(target, fixture, given), given, fixture);
});

test("acts sent again with the same Idempotency-Key are one, and each person's keys are its own", async () => {
  const route = "POST /v1/workspaces/{workspace}/apps/{app}/versions/{version}/action";
  const headers = { "idempotency-key": `once-${fixture["run"]}` };
  const given = { route, what: "", params: { version: "{listed}" }, headers, body: { action: "submit" }, status: 200 };
  expectAnswer(await ask(target, fixture, given), given, fixture);
  expectAnswer(await ask(target, fixture, given), given, fixture);
  const plain = { ...given, headers: {}, status: 400 };
  expectAnswer(await ask(target, fixture, plain), plain, fixture);
});

describe("what is done, in this order", () => {
  test.each(DONE)("$route: $what: $status", hold);
});
