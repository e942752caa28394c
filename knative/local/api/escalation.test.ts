import { expect, test } from "vitest";
import { missingFrom } from "./escalation.ts";

const rule = (verbs: string[], resources: string[], more: object = {}) => ({
  apiGroups: [""],
  resources,
  verbs,
  ...more,
});
const paths = (verbs: string[], nonResourceURLs: string[]) => ({ verbs, nonResourceURLs });

test.each([
  ["the same rule", [rule(["get"], ["pods"])], rule(["get"], ["pods"])],
  ["two rules together", [rule(["get"], ["pods"]), rule(["list"], ["pods"])], rule(["get", "list"], ["pods"])],
  ["all verbs", [rule(["*"], ["pods"])], rule(["get", "delete"], ["pods"])],
  ["all resources", [rule(["get"], ["*"])], rule(["get"], ["pods", "pods/log"])],
  ["one subresource of all", [rule(["get"], ["*/log"])], rule(["get"], ["pods/log"])],
  ["no names for one", [rule(["get"], ["pods"])], rule(["get"], ["pods"], { resourceNames: ["a"] })],
  ["a path and what is below it", [paths(["get"], ["/metrics*"])], paths(["get"], ["/metrics", "/metrics/x"])],
])("%s covers", (_, held, wanted) => {
  expect(missingFrom(held, [wanted])).toEqual([]);
});

test.each([
  ["another verb", [rule(["get"], ["pods"])], rule(["delete"], ["pods"])],
  ["another group", [rule(["get"], ["pods"])], rule(["get"], ["pods"], { apiGroups: ["apps"] })],
  ["a subresource", [rule(["get"], ["pods"])], rule(["get"], ["pods/log"])],
  ["a name for all", [rule(["get"], ["pods"], { resourceNames: ["a"] })], rule(["get"], ["pods"])],
  ["some verbs for all", [rule(["get", "list"], ["pods"])], rule(["*"], ["pods"])],
  ["a path for resources", [paths(["*"], ["*"])], rule(["get"], ["pods"])],
  ["a longer path", [paths(["get"], ["/metrics"])], paths(["get"], ["/metrics/x"])],
])("%s does not cover", (_, held, wanted) => {
  expect(missingFrom(held, [wanted])).toHaveLength(1);
});
