import { expect, it } from "vitest";
import { given } from "../../test/support/objects.ts";
import { HelmApplication } from "../resources/helm-application.ts";
import { listed } from "./generic-query.ts";

const app = (name: string, hour: number, labels: Record<string, string> = {}) =>
  given(HelmApplication, name, {
    metadata: { creationTimestamp: `2026-05-04T0${hour}:00:00Z`, labels },
    spec: { name: `shown-${name}` },
    status: { state: "active", statusTime: "", updateTime: "" },
  });
const apps = [app("a", 2, { tier: "front" }), app("b", 3), app("c", 1, { tier: "back" })];
const names = (query: string) => listed(apps, new URLSearchParams(query)).items.map(({ metadata }) => metadata.name);

it.each([
  ["", ["b", "a", "c"]],
  ["ascending=true", ["c", "a", "b"]],
  ["sortBy=name&ascending=true", ["a", "b", "c"]],
  ["sortBy=name", ["c", "b", "a"]],
  ["limit=2&page=2", ["c"]],
  ["name=shown-b", ["b"]],
  ["names=a,c&ascending=true", ["c", "a"]],
  ["labelSelector=tier=front", ["a"]],
  ["labelSelector=tier+notin+(front),tier", ["c"]],
  ["labelSelector=a%20b", []],
  ["toString=x", []],
  ["name=shown-b&name=shown-c", ["b"]],
  ["label=tier", ["a", "c"]],
  ["status=act", ["b", "a", "c"]],
  ["uid=uid-b", ["b"]],
  ["unknown=x", []],
])("%s gives %o", (query, expected) => {
  expect(names(query)).toEqual(expected);
});

it("counts what was found, not what is on the page", () => {
  expect(listed(apps, new URLSearchParams("limit=1")).totalItems).toBe(3);
});
