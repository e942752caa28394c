import fc from "fast-check";
import { expect, test } from "vitest";
import { appId, categoryId, id36, packageName, releaseId, repoId, versionId } from "./ids.ts";

const LABEL = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

test("ids never change: objects of running stores carry them", () => {
  expect(id36("a", "b")).toBe("mxekfwkdy9cd1v");
  expect(appId({ repo: "repo-300m50zn91nwz5" }, "redis")).toBe("app-j9idfnavjo4289");
  expect(versionId("app-n04mj714o54k56", "1.2.3")).toBe("appv-9euobt9amtyww9");
});

test("every name has KubeSphere's prefix and is a DNS label", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const names = [
        appId({ repo: `repo-${a}` }, b),
        appId({ workspace: a }, b),
        versionId(`app-${a.replace(/^builtin/, "")}`, b),
        releaseId(a, b),
        repoId(a, b),
        categoryId(a),
      ];
      for (const name of names) expect(name).toMatch(LABEL);
      expect(id36(a, b)).toMatch(/^[a-z0-9]{14}$/);
      expect(id36(a, b)).toBe(id36(a, b));
    }),
  );
});

test("different parts give different ids, wherever the border between parts lies", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 4 }), fc.array(fc.string(), { maxLength: 4 }), (a, b) => {
      expect(id36(...a) === id36(...b)).toBe(JSON.stringify(a) === JSON.stringify(b));
    }),
  );
  const many = new Set(Array.from({ length: 100_000 }, (_, at) => id36("appv", "app-x", `1.${at}.0`)));
  expect(many.size).toBe(100_000);
});

test("a repository and a workspace of one name own different applications", () => {
  expect(appId({ repo: "demo" }, "redis")).not.toBe(appId({ workspace: "demo" }, "redis"));
});

test("built-in repositories use readable names, made safe where they are not", () => {
  const app = appId({ repo: "builtin-stable" }, "redis");
  expect(app).toBe("app-builtin-stable-redis");
  expect(versionId(app, "1.2.3-rc.1")).toBe("app-builtin-stable-redis-1.2.3-rc.1");
  expect(appId({ repo: "builtin-stable" }, "IOMesh")).toMatch(/^app-builtin-stable-iomesh-[a-z0-9]{14}$/);
  expect(versionId(app, "1.2.3+a")).not.toBe(versionId(app, "1.2.3+b"));
});

test("built-in names are valid, short enough for a label, and distinct for any chart and version", () => {
  const part = fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z0-9._+-]{1,300}$/));
  fc.assert(
    fc.property(part, part, part, (chart, version, other) => {
      const name = versionId(appId({ repo: "builtin-x" }, chart), version);
      expect(name).toMatch(SUBDOMAIN);
      expect(name.length).toBeLessThanOrEqual(63);
      if (version !== other) expect(versionId(appId({ repo: "builtin-x" }, chart), other)).not.toBe(name);
    }),
  );
});

test("packages are named after their digest", () => {
  const hex = "0123456789abcdef".repeat(4);
  expect(packageName(hex)).toBe(`pkg-${hex.slice(0, 32)}`);
  expect(packageName(`sha256:${hex.toUpperCase()}`)).toBe(`pkg-${hex.slice(0, 32)}`);
  expect(() => packageName("abc")).toThrow(/"abc" is no SHA-256 digest/);
});

test("one category is fixed", () => {
  expect(categoryId("uncategorized")).toBe("ctg-uncategorized");
  expect(categoryId("Database")).toMatch(/^ctg-[a-z0-9]{14}$/);
});
