import { expect, test } from "vitest";
import { declaredObjects } from "./helm-manifest.ts";

const MANIFEST = `---
# Source: web/templates/a.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  namespace: other
---
# nothing here
---
apiVersion: v1
kind: List
items:
  - { apiVersion: apps/v1, kind: Deployment, metadata: { name: b } }
  - { apiVersion: v1, kind: ConfigMapList, items: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: c } }] }
---
just: values
---
apiVersion: v1
kind: ConfigMap
metadata: { generateName: d- }
`;

test("objects come in order, lists opened, everything else left out", () => {
  expect(declaredObjects("web", MANIFEST)).toEqual([
    { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: "other" },
    { apiVersion: "apps/v1", kind: "Deployment", name: "b" },
    { apiVersion: "v1", kind: "ConfigMap", name: "c" },
  ]);
  expect(declaredObjects("web", "")).toEqual([]);
});

test("an unreadable manifest names the release and the line", () => {
  expect(() => declaredObjects("web", "a: [\n")).toThrow(/manifest of release web is no readable YAML: .*line/);
});
