import fc from "fast-check";
import { expect, test } from "vitest";
import { idOf, keyOf } from "./storage-key.ts";

const name = fc.string({ minLength: 1, unit: "binary" }).filter((text) => text.isWellFormed());

test("every name survives the way into a key and back, in the alphabet of keys", () => {
  fc.assert(
    fc.property(
      name,
      fc.oneof(
        fc.constant(""),
        name.filter((text) => text !== "_"),
      ),
      (objectName, namespace) => {
        const id = { resource: "rbac.authorization.k8s.io/clusterroles", namespace, name: objectName };
        const key = keyOf(id);
        expect(key).toMatch(/^[-/_=.A-Za-z0-9]+$/);
        expect(key).not.toMatch(/^\.|\.$|\.\./);
        expect(idOf(key)).toEqual(id);
      },
    ),
  );
});

test("ordinary names stay readable", () => {
  const id = { resource: "apps/deployments", namespace: "shop", name: "web.v1" };
  expect(keyOf(id)).toBe("apps/deployments/shop/web.v1");
  expect(keyOf({ resource: "core/namespaces", namespace: "", name: "shop" })).toBe("core/namespaces/_/shop");
});

test("keys of other writers are left alone", () => {
  expect(idOf("something")).toBeUndefined();
  expect(idOf("a/b/c/d/e")).toBeUndefined();
});
