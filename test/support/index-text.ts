/** A version of a chart in a test's index, or its number alone. */
export type IndexItem = string | { readonly version: string; readonly [field: string]: unknown };

/** The text of an index with these charts and versions; each version has a digest of its own unless it says otherwise. */
export function indexText(charts: Readonly<Record<string, readonly IndexItem[]>>): string {
  const entries = Object.entries(charts).map(([name, items]) => [name, items.map((item) => itemOf(name, item))]);
  const generated = "2026-05-04T12:00:00Z";
  return JSON.stringify({ apiVersion: "v1", entries: Object.fromEntries(entries), generated });
}

function itemOf(name: string, item: IndexItem) {
  const fields = typeof item === "string" ? { version: item } : item;
  const digest = Buffer.from(`${name} ${fields.version}`).toString("hex").padEnd(64, "0").slice(0, 64);
  return { apiVersion: "v2", name, digest, urls: [`${name}-${fields.version}.tgz`], ...fields };
}
