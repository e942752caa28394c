import { notYet } from "../../../functions/rest-gateway/releases.ts";
import type { Route } from "../../../functions/rest-gateway/routes.ts";
import { BASE, type Case } from "./case.ts";

/** The routes table's name of a route in the tables here. */
export function routeOf({ method, pattern }: Route): string {
  return `${method} ${pattern.text.slice(BASE.length)}`;
}

/** For every route: nobody and strangers are sent away with 401, those without rights with 403, before anything is said. */
export function rightCases(routes: readonly Route[]): readonly Case[] {
  return routes.filter(({ right }) => right !== "open").flatMap(guardedCases);
}

function guardedCases(route: Route): readonly Case[] {
  const at = { route: routeOf(route), ...(route.method === "GET" ? {} : { body: { action: "submit" } }) };
  const said = route.right === "own" ? /^sign in: / : /^system:anonymous may not /;
  const sentAway: readonly Case[] = [
    { ...at, what: "nobody is asked to sign in", as: "nobody", status: 401, text: said },
    { ...at, what: "a false token is nobody's", as: "stranger", status: 401, text: /nobody&#39;s: sign in again$/ },
  ];
  const powerless = { ...at, what: "without rights", as: "powerless" } as const;
  if (route.right === "own" && route.method === "GET") return [...sentAway, { ...powerless, status: 404 }];
  return [...sentAway, { ...powerless, status: 403, text: / may not \S+ \S+ of openpitrix\.io/ }];
}

/** What belongs to one workspace is not there, or not in the list, for a path that names another one. */
export function workspaceCases(routes: readonly Route[]): readonly Case[] {
  const within = routes.filter(({ pattern }) => /\{workspace\}.*\{(?:app|version|repo)\}/.test(pattern.text));
  return within
    .filter(({ method }) => method === "GET")
    .map((route): Case => {
      const at = { route: routeOf(route), what: "from another workspace", params: { workspace: "elsewhere" } };
      const { answer } = route.contract;
      if (answer === "VersionList") return { ...at, status: 200, json: { total_count: 0, items: [] } };
      if (answer === "ObjectList") return { ...at, status: 200, json: { totalItems: 0, items: [] } };
      return { ...at, status: 404, text: /&#34; not found$/ };
    });
}

/** Release routes are not served yet and say so. */
export function releaseCases(routes: readonly Route[]): readonly Case[] {
  const text = "releases are not served by this API yet: create a HelmRequest, or use helm";
  return routes
    .filter(({ handle }) => handle === notYet)
    .map((route) => ({ route: routeOf(route), what: "is not served yet", status: 501, text }));
}
