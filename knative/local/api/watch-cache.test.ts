import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Entry } from "./storage.ts";
import { WatchCache } from "./watch-cache.ts";

const resource = "core/things";
const entry = (name: string, revision: number, namespace = "ns"): Entry => ({
  resource,
  namespace,
  name,
  revision,
  text: `${name}@${revision}`,
});
const stamp = (found: Entry): Entry => found;
const texts = (entries: readonly Entry[] | undefined): readonly string[] | undefined => entries?.map((one) => one.text);

const step = fc.record({ remove: fc.boolean(), name: fc.constantFrom("a", "b", "c", "d", "e") });

describe("the cache", () => {
  test("shows every moment of the past that it still knows as it was then", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const cache = new WatchCache();
        const moments: (readonly string[] | undefined)[] = [[]];
        steps.forEach(({ remove, name }, index) => {
          const revision = index + 1;
          if (remove) cache.remove({ resource, namespace: "ns", name }, revision, stamp);
          else cache.put(entry(name, revision));
          moments.push(texts(cache.list(resource)));
        });
        for (const [revision, moment] of moments.entries())
          expect(texts(cache.listAt(resource, revision))).toEqual(moment);
      }),
    );
  });

  test("lists in order of namespace and name, and one namespace alone", () => {
    const cache = new WatchCache();
    const places = [
      ["b", "x"],
      ["a", "y"],
      ["a", "x"],
      ["c", "a"],
    ] as const;
    for (const [index, [namespace, name]] of places.entries()) cache.put(entry(name, index + 1, namespace));
    expect(cache.list(resource).map((one) => `${one.namespace}/${one.name}`)).toEqual(["a/x", "a/y", "b/x", "c/a"]);
    expect(cache.list(resource, "a").map((one) => one.name)).toEqual(["x", "y"]);
    expect(cache.list(resource, "nothing")).toEqual([]);
  });

  test("leaves a list alone that somebody holds", () => {
    const cache = new WatchCache();
    cache.put(entry("a", 1));
    const held = cache.list(resource);
    cache.put(entry("a", 2));
    expect([texts(held), texts(cache.list(resource))]).toEqual([["a@1"], ["a@2"]]);
  });

  test("drops old news", () => {
    const cache = new WatchCache();
    cache.put(entry("a", 5));
    cache.put(entry("a", 4));
    expect(cache.get({ resource, namespace: "ns", name: "a" })?.revision).toBe(5);
  });

  test("forgets beyond its limits and says so", () => {
    const cache = new WatchCache({ changes: 10, bytes: 1_000_000 });
    for (let revision = 1; revision <= 100; revision += 1) cache.put(entry(`n${revision % 3}`, revision));
    expect(cache.oldest).toBeGreaterThan(70);
    expect(cache.since(resource, cache.oldest - 1)).toBeUndefined();
    expect(cache.since(resource, cache.oldest)?.length).toBe(100 - cache.oldest);
  });

  test("forgets by size too", () => {
    const cache = new WatchCache({ changes: 1000, bytes: 100 });
    for (let revision = 1; revision <= 50; revision += 1) cache.put({ ...entry("a", revision), text: "x".repeat(40) });
    expect(cache.oldest).toBeGreaterThan(40);
  });

  test("lets writers wait until reads show what they wrote", async () => {
    const cache = new WatchCache();
    let reached = false;
    const waiting = cache.reached(2).then(() => {
      reached = true;
    });
    cache.put(entry("a", 1));
    await Promise.resolve();
    expect(reached).toBe(false);
    cache.put(entry("a", 2));
    await waiting;
    expect(reached).toBe(true);
  });

  test("tells listeners of their resource and of all, in order", () => {
    const cache = new WatchCache();
    const seen: string[] = [];
    const stop = cache.subscribe(resource, (change) => seen.push(`${change.type} ${change.entry.name}`));
    cache.subscribe("*", (change) => seen.push(`all ${change.revision}`));
    cache.put(entry("a", 1));
    cache.put({ ...entry("b", 2), resource: "core/others" });
    cache.remove({ resource, namespace: "ns", name: "a" }, 3, stamp);
    stop();
    cache.put(entry("a", 4));
    expect(seen).toEqual(["ADDED a", "all 1", "all 2", "DELETED a", "all 3", "all 4"]);
  });
});
