import { describe, expect, test } from "vitest";
import { s3Address, s3PackageUrl } from "./s3-address.ts";

const MINIO = { endpoint: "http://minio.team.svc:9000", region: "eu-1" };

describe("a bucket's address", () => {
  test.each([
    ["s3://s3.eu-west-1.amazonaws.com/charts/a/b", "https://s3.eu-west-1.amazonaws.com/charts/a/b", "eu-west-1"],
    ["s3://s3.amazonaws.com/charts", "https://s3.amazonaws.com/charts/", "us-east-1"],
    ["s3://minio.team.svc:9000/charts/stable", "http://minio.team.svc:9000/charts/stable", "us-east-1"],
    ["s3://minio/charts/", "http://minio/charts/", "us-east-1"],
    ["s3://charts.s3.eu-west-1.amazonaws.com/a", "https://charts.s3.eu-west-1.amazonaws.com/a", "eu-west-1"],
    ["s3://s3.eu-1.example/charts/a+b", "https://s3.eu-1.example/charts/a%2Bb", "eu-1"],
  ])("%s as KubeSphere reads it: %s in %s", (url, expected, region) => {
    expect(s3Address(url)).toEqual({ url: expected, bucket: "charts", region });
  });

  test.each([
    ["path", "http://minio.team.svc:9000/charts/stable"],
    ["virtual-host", "http://charts.minio.team.svc:9000/stable"],
  ] as const)("with an endpoint and %s addressing", (addressing, url) => {
    expect(s3Address("s3://charts/stable", { ...MINIO, addressing })).toEqual({
      url,
      bucket: "charts",
      region: "eu-1",
    });
  });

  test("with virtual-host addressing and without an endpoint", () => {
    const address = s3Address("s3://s3.eu-1.example/charts/a", { addressing: "virtual-host", region: "eu-2" });
    expect(address).toEqual({ url: "https://charts.s3.eu-1.example/a", bucket: "charts", region: "eu-2" });
  });

  test.each([
    ["s3://s3.eu-1.example", {}],
    ["s3://", {}],
    ["https://s3.eu-1.example/charts", {}],
    ["charts", {}],
    ["s3://charts", { endpoint: "ftp://minio" }],
    ["s3://charts", { endpoint: "minio:9000" }],
    ["s3://charts", { endpoint: "" }],
  ])("%s with %j names none", (url, settings) => {
    expect(s3Address(url, settings)).toBeUndefined();
  });
});

describe("a package's address", () => {
  const KUBESPHERE = "s3://s3.eu-1.example/charts/stable";
  const FOLDER = "https://s3.eu-1.example/charts/stable";

  test.each([
    [KUBESPHERE, "s3://s3.eu-1.example/charts/stable/web-1.0.0+a.tgz", `${FOLDER}/web-1.0.0%2Ba.tgz`],
    [KUBESPHERE, "s3://charts/stable/web-1.0.0.tgz", `${FOLDER}/web-1.0.0.tgz`],
    [KUBESPHERE, "s3://evil.example/charts/web.tgz", "https://s3.eu-1.example/evil.example/charts/web.tgz"],
    ["s3://charts.s3.eu-1.amazonaws.com/a", "s3://charts/a/w.tgz", "https://s3.eu-1.amazonaws.com/charts/a/w.tgz"],
    [KUBESPHERE, "https://cdn.example/web.tgz", undefined],
    ["https://charts.example", "s3://charts/web.tgz", undefined],
  ])("in the index of %s, %s is at %s", (repository, url, expected) => {
    expect(s3PackageUrl(repository, url)).toBe(expected);
  });

  test("with an endpoint", () => {
    const url = s3PackageUrl("s3://charts/stable", "s3://charts/stable/web.tgz", MINIO);
    expect(url).toBe("http://minio.team.svc:9000/charts/stable/web.tgz");
  });
});
