import { describe, expect, test } from "vitest";
import { given } from "../../test/support/objects.ts";
import { HelmApplication } from "../resources/helm-application.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { type CatalogEntry, type Question, searchCatalog } from "./search.ts";

interface Says {
  readonly description?: string;
  readonly keywords?: string[];
  readonly maintainers?: { name: string }[];
  readonly category?: string;
}

function entry(
  id: string,
  name: string,
  { description = "", keywords = [], maintainers = [], category }: Says = {},
): CatalogEntry {
  const labels = category === undefined ? {} : { "application.kubesphere.io/app-category-id": category };
  const newest = given(HelmApplicationVersion, `${id}-2`, { spec: { version: "2.0.0", keywords, maintainers } });
  const older = given(HelmApplicationVersion, `${id}-1`, { spec: { version: "1.0.0", keywords: ["outdated"] } });
  return {
    app: given(HelmApplication, id, { metadata: { labels }, spec: { name, description } }),
    versions: [older, newest],
  };
}

const CATALOG: readonly CatalogEntry[] = [
  entry("app-1", "nginx-ingress", { keywords: ["ingress", "proxy"], category: "ctg-net" }),
  entry("app-2", "Nginx", { description: "Serves files", keywords: ["web"], maintainers: [{ name: "Ann Lee" }] }),
  entry("app-3", "Traefik", { keywords: ["ingress"], description: "a proxy like nginx", category: "ctg-net" }),
  entry("app-4", "openresty", { description: "built on NGINX" }),
  entry("app-5", "Überblick", { maintainers: [{ name: "Ann Lee" }] }),
  entry("app-6", "mynginx"),
];

const ids = (question: Question) => searchCatalog(CATALOG, question).entries.map(({ app }) => app.metadata.name);

describe("what is found, best first", () => {
  test.each([
    ["NGINX", ["app-2", "app-1", "app-6", "app-4", "app-3"]],
    ["ingress", ["app-1", "app-3"]],
    ["  nginx   proxy ", ["app-1", "app-3"]],
    ["ann", ["app-2", "app-5"]],
    ["files", ["app-2"]],
    ["U\u0308BER", ["app-5"]],
    ["outdated", []],
    ["nothing at all", []],
    [".*", []],
  ])("%s", (text, expected) => {
    expect(ids({ text })).toEqual(expected);
  });

  test("without a word, everything by name", () => {
    expect(ids({ text: "" })).toEqual(["app-6", "app-2", "app-1", "app-4", "app-3", "app-5"]);
  });

  test("the order does not depend on the order of the catalogue", () => {
    const turned = searchCatalog(CATALOG.toReversed(), { text: "nginx" });
    expect(turned.entries.map(({ app }) => app.metadata.name)).toEqual(ids({ text: "nginx" }));
  });
});

test("conditions narrow", () => {
  expect(ids({ text: "nginx", category: "ctg-net" })).toEqual(["app-1", "app-3"]);
  expect(ids({ text: "", keyword: "Web" })).toEqual(["app-2"]);
  expect(ids({ text: "", maintainer: "ann lee" })).toEqual(["app-2", "app-5"]);
  expect(ids({ text: "", category: "ctg-uncategorized" })).toEqual(["app-6", "app-2", "app-4", "app-5"]);
});

test("facets count what was found, and nothing else", () => {
  const { categories, keywords, maintainers } = searchCatalog(CATALOG, { text: "ingress" });
  expect(categories).toEqual([{ value: "ctg-net", count: 2 }]);
  expect(keywords).toEqual([
    { value: "ingress", count: 2 },
    { value: "proxy", count: 1 },
  ]);
  expect(maintainers).toEqual([]);
});

test("what changes is found anew", () => {
  const [first] = CATALOG;
  if (!first) throw new Error("the catalogue is empty");
  expect(searchCatalog([first], { text: "fresh" }).entries).toEqual([]);
  const fresh = given(HelmApplicationVersion, "v3", { spec: { version: "3.0.0", keywords: ["fresh"] } });
  expect(searchCatalog([{ ...first, versions: [fresh] }], { text: "fresh" }).entries).toHaveLength(1);
  expect(searchCatalog([first], { text: "fresh" }).entries).toEqual([]);
});

test("ten thousand applications are searched while somebody types", () => {
  const many = Array.from({ length: 10_000 }, (_, at) =>
    entry(`app-${at}`, `chart-${at}`, { description: "x".repeat(400), keywords: ["a", "b", `k${at % 7}`] }),
  );
  const begin = performance.now();
  expect(searchCatalog(many, { text: "chart k3" }).entries.length).toBeGreaterThan(1_000);
  expect(performance.now() - begin).toBeLessThan(2_000);
});
