import type { Person } from "../../support/rest-target.ts";

/**
 * One request and what it is answered with. Route and texts may hold `{name}`, which stands for what the suite has
 * made: `{workspace}`, `{app}`, `{version}`, `{chart}` and so on; see fixture.ts.
 */
export interface Case {
  /** Method and path pattern, as in the routes table: `GET /v1/repos/{repo}`. */
  readonly route: string;
  readonly what: string;
  /** Who asks; default: the administrator. */
  readonly as?: Person;
  /** What some names in the path stand for in this case. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** The whole text of an error without its newline, or what it matches. */
  readonly text?: string | RegExp;
  /** Asked again for a while: it follows from what was done before, by functions that nobody waits for. */
  readonly soon?: true;
  /** Content type of an answer that is no JSON. */
  readonly type?: string;
  /** What the answer holds besides having the shape that the OpenAPI document promises. */
  readonly json?: unknown;
}

/** Stands for the package of a chart, in base64. */
export interface ChartOf {
  readonly chart: string;
  readonly version: string;
  /** Further lines of its Chart.yaml. */
  readonly more: string;
}

/** A package in a body. */
export function chart(name: string, version: string, more = ""): ChartOf {
  return { chart: name, version, more };
}

/** Where all routes are below. */
export const BASE = "/kapis/openpitrix.io";
