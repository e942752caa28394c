import { expect } from "vitest";
import type { RestTarget } from "../../support/rest-target.ts";
import { BASE, type Case, type ChartOf } from "./case.ts";
import { chartPackage, type Fixture } from "./fixture.ts";

/** What a request was answered with. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Sends the request of a case, its names replaced by what they stand for. */
export async function ask(target: RestTarget, fixture: Fixture, given: Case): Promise<Answer> {
  const [method = "", pattern = ""] = given.route.split(" ");
  const params = Object.fromEntries(Object.entries(given.params ?? {}).map(([k, v]) => [k, filled(v, fixture)]));
  const path = filled(pattern, { ...fixture, ...params });
  const query = given.query === undefined ? "" : `?${filled(given.query, fixture)}`;
  const headers = { ...target.headersOf(given.as ?? "admin"), "content-type": "application/json", ...given.headers };
  const body = given.body === undefined ? {} : { body: bodyText(given.body, fixture) };
  const answer = await fetch(target.url + BASE + path + query, { method, headers, ...body });
  return { status: answer.status, type: answer.headers.get("content-type") ?? "", text: await answer.text() };
}

/** Holds an answer against its case: status, content type, and the text or the JSON. */
export function expectAnswer(answer: Answer, given: Case, fixture: Fixture): void {
  expect(answer.status, answer.text).toBe(given.status);
  if (given.type !== undefined) {
    expect(answer.type).toBe(given.type);
    return;
  }
  if (given.status === 200) {
    expect(answer.type).toBe("application/json");
    if (given.json !== undefined)
      expect(JSON.parse(answer.text)).toMatchObject(expected(given.json, fixture) as object);
    return;
  }
  expect(answer.type).toBe("text/plain; charset=utf-8");
  expect(answer.text.endsWith("\n")).toBe(true);
  const line = answer.text.slice(0, -1);
  if (typeof given.text === "string") expect(line).toBe(filled(given.text, fixture));
  else if (given.text)
    expect(line).toMatch(new RegExp(filled(given.text.source.replaceAll("\\{", "{").replaceAll("\\}", "}"), fixture)));
}

function bodyText(body: unknown, fixture: Fixture): string {
  return typeof body === "string" ? body : JSON.stringify(sent(body, fixture));
}

function sent(value: unknown, fixture: Fixture): unknown {
  if (typeof value === "string") return filled(value, fixture);
  if (isChart(value)) return chartPackage(filled(value.chart, fixture), value.version, value.more);
  return mapped(value, (each) => sent(each, fixture));
}

function expected(value: unknown, fixture: Fixture): unknown {
  if (value instanceof RegExp) return expect.stringMatching(value);
  return typeof value === "string" ? filled(value, fixture) : mapped(value, (each) => expected(each, fixture));
}

function mapped(value: unknown, change: (each: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each)]));
}

function isChart(value: unknown): value is ChartOf {
  return typeof value === "object" && value !== null && "chart" in value && "more" in value;
}

/** Replaces `{name}` by what it stands for; a name that stands for nothing is a mistake in a table. */
function filled(text: string, fixture: Fixture): string {
  return text.replaceAll(/\{([a-zA-Z]+)\}/g, (_, name: string) => {
    const value = fixture[name];
    if (value === undefined) throw new Error(`{${name}} in "${text}" stands for nothing`);
    return value;
  });
}
