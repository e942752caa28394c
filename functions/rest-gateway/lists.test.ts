import { expect, it } from "vitest";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { given } from "../../test/support/objects.ts";
import type { Call } from "./call.ts";
import { listCategories } from "./categories.ts";

const category = (name: string, minute: number) =>
  given(HelmCategory, `ctg-${name}`, {
    metadata: { creationTimestamp: `2026-05-04T12:0${minute}:00Z` },
    spec: { name },
  });

it("lists categories newest first, by name where they were made in the same second", async () => {
  const categories = [category("b", 1), category("c", 3), category("a", 1)];
  const call = {
    request: { query: new URLSearchParams() },
    params: {},
    ports: { kube: { list: async () => categories } },
  } as unknown as Call;
  const { body } = await listCategories(call);
  const { items } = JSON.parse(String(body)) as { items: readonly { name: string }[] };
  expect(items.map(({ name }) => name)).toEqual(["c", "b", "a"]);
});
