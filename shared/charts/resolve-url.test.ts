import fc from "fast-check";
import { expect, test } from "vitest";
import { resolveChartUrl, sameHost } from "./resolve-url.ts";

function resolved(repo: string, chart: string): string {
  const result = resolveChartUrl(repo, chart);
  return result.ok ? result.url : result.reason;
}

test.each([
  ["https://charts.example/stable", "redis-1.tgz", "https://charts.example/stable/redis-1.tgz"],
  ["https://charts.example/stable/", "redis-1.tgz", "https://charts.example/stable/redis-1.tgz"],
  ["https://charts.example/stable", "charts/redis-1.tgz", "https://charts.example/stable/charts/redis-1.tgz"],
  ["https://charts.example/stable", "/redis-1.tgz", "https://charts.example/redis-1.tgz"],
  ["https://charts.example/stable", "../redis-1.tgz", "https://charts.example/redis-1.tgz"],
  ["https://charts.example/stable?token=a", "redis-1.tgz", "https://charts.example/stable/redis-1.tgz?token=a"],
  ["https://user:secret@charts.example/stable", "redis-1.tgz", "https://charts.example/stable/redis-1.tgz"],
  ["https://charts.example", "https://cdn.example/redis-1+a.tgz", "https://cdn.example/redis-1+a.tgz"],
  ["https://charts.example", "HTTP://cdn.example/r.tgz", "http://cdn.example/r.tgz"],
  ["https://charts.example", "oci://registry.example/redis:1.0.0", "oci://registry.example/redis:1.0.0"],
  ["s3://minio.example/charts/stable", "redis-1.tgz", "s3://minio.example/charts/stable/redis-1.tgz"],
  ["s3://minio.example/charts/stable", "s3://charts/redis-1.tgz", "s3://charts/redis-1.tgz"],
  ["s3://minio.example/charts", "https://cdn.example/redis-1.tgz", "https://cdn.example/redis-1.tgz"],
  ["https://charts.example", "s3://charts/redis-1.tgz", "UnsupportedScheme"],
  ["https://charts.example", "file:///etc/passwd", "UnsupportedScheme"],
  ["https://charts.example", "data:text/plain,x", "UnsupportedScheme"],
  ["https://charts.example", "javascript:alert(1)", "UnsupportedScheme"],
  ["https://charts.example", "https://u:p@charts.example/r.tgz", "InvalidUrl"],
  ["https://charts.example", "http://[", "InvalidUrl"],
  ["https://charts.example", "", "InvalidUrl"],
  ["charts.example", "r.tgz", "InvalidUrl"],
  ["oci://charts.example/x", "redis:1.0.0", "UnsupportedScheme"],
  ["file:///charts", "r.tgz", "UnsupportedScheme"],
])("%s + %s → %s", (repo, chart, expected) => {
  expect(resolved(repo, chart)).toBe(expected);
});

test.each([
  ["https://charts.example/a", "https://charts.example/b", true],
  ["https://charts.example", "https://CHARTS.example:443/b", true],
  ["https://charts.example", "http://charts.example/b", false],
  ["https://charts.example", "https://charts.example:8443/b", false],
  ["https://charts.example", "https://charts.example.evil.example/b", false],
  ["https://charts.example", "https://charts.example@evil.example/b", false],
  ["https://charts.example", "not a url", false],
  ["", "", false],
])("credentials of %s may go to %s: %s", (repo, other, expected) => {
  expect(sameHost(repo, other)).toBe(expected);
});

test("whatever an index says, another host is recognised as one", () => {
  for (const chart of ["//evil.example/r.tgz", "\\\\evil.example\\r.tgz", "/\\evil.example/r.tgz"]) {
    const url = resolved("https://charts.example/stable", chart);
    expect(sameHost("https://charts.example/stable", url), chart).toBe(new URL(url).host === "charts.example");
  }
  fc.assert(
    fc.property(fc.string(), (chart) => {
      const result = resolveChartUrl("https://u:secret@charts.example/stable", chart);
      if (result.ok) expect(new URL(result.url).protocol).toMatch(/^(https?|oci):$/);
      expect(JSON.stringify(result)).not.toContain("secret");
    }),
    { numRuns: 2000 },
  );
});

test("a refusal shows no password", () => {
  expect(JSON.stringify(resolveChartUrl("https://charts.example", "ftp://u:hidden@evil.example/x"))).not.toContain(
    "hidden",
  );
});
