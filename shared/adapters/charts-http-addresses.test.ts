import type { lookup } from "node:dns";
import { describe, expect, test } from "vitest";
import { addressGuard } from "./charts-http-addresses.ts";

const PUBLIC = "https://charts.example/stable";

/** Why a request is refused before a connection is made, or "allowed". */
function judged(repository: string, target: string, allowedHosts: readonly string[] = []): string {
  try {
    addressGuard({ url: repository, allowedHosts }, new URL(target)).refuseHost();
    return "allowed";
  } catch (error) {
    return String(error).replace(/^.*? is an? (link-local or metadata|private|loopback) address.*$/, "$1");
  }
}

describe("an address that a public repository leads to", () => {
  test.each([
    ["http://93.184.215.14/", "allowed"],
    ["http://[2606:4700::1111]/", "allowed"],
    ["http://127.0.0.1/", "loopback"],
    ["http://127.1/", "loopback"],
    ["http://2130706433/", "loopback"],
    ["http://0/", "loopback"],
    ["http://[::1]/", "loopback"],
    ["http://[::]/", "loopback"],
    ["http://[::ffff:127.0.0.1]/", "loopback"],
    ["http://[64:ff9b::7f00:1]/", "loopback"],
    ["http://10.1.2.3/", "private"],
    ["http://172.31.255.255/", "private"],
    ["http://172.32.0.1/", "allowed"],
    ["http://192.168.0.1/", "private"],
    ["http://100.64.0.1/", "private"],
    ["http://[fd12::1]/", "private"],
    ["http://[64:ff9b::a00:1]/", "private"],
    ["http://[64:ff9b::808:808]/", "allowed"],
    ["http://[2002:7f00:1::]/", "private"],
    ["http://169.254.169.254/", "link-local or metadata"],
    ["http://[64:ff9b::a9fe:a9fe]/", "link-local or metadata"],
    ["http://100.100.100.200/", "link-local or metadata"],
    ["http://[fd00:ec2::254]/", "link-local or metadata"],
    ["http://[fe80::1]/", "link-local or metadata"],
    ["http://224.0.0.1/", "link-local or metadata"],
    ["http://255.255.255.255/", "link-local or metadata"],
  ])("%s: %s", (target, expected) => {
    expect(judged(PUBLIC, target)).toBe(expected);
  });
});

describe("a repository that is itself inside", () => {
  test.each([
    ["http://10.0.0.1/", "http://10.0.0.2/", "allowed"],
    ["http://10.0.0.1/", "http://127.0.0.1/", "loopback"],
    ["http://charts.team.svc/", "http://10.0.0.2/", "allowed"],
    ["http://chartmuseum:8080/", "http://192.168.1.1/", "allowed"],
    ["http://chartmuseum:8080/", "http://127.0.0.1/", "loopback"],
    ["http://localhost:8080/", "http://127.0.0.1/", "allowed"],
    ["http://127.0.0.1:8080/", "http://[::1]/", "allowed"],
    ["http://127.0.0.1:8080/", "http://169.254.169.254/", "link-local or metadata"],
    ["http://169.254.169.254/", "http://169.254.169.254/", "link-local or metadata"],
    ["http://169.254.1.1/", "http://127.0.0.1/", "allowed"],
  ])("%s may lead to %s: %s", (repository, target, expected) => {
    expect(judged(repository, target)).toBe(expected);
  });

  test("stays where it is, on its own scheme, host and port only", () => {
    expect(judged("https://user:secret@10.0.0.1/a", "https://10.0.0.1/b")).toBe("allowed");
    expect(judged("https://charts.example.", "http://127.0.0.1/")).toBe("loopback");
  });
});

describe("allowedHosts", () => {
  test.each([
    ["10.0.0.7", "allowed"],
    ["10.0.0.7:9000", "allowed"],
    ["10.0.0.7:9001", "private"],
    ["0.0.7", "private"],
  ])("with %s: %s", (allowed, expected) => {
    expect(judged(PUBLIC, "http://10.0.0.7:9000/", [allowed])).toBe(expected);
  });

  test("never allow metadata services", () => {
    expect(judged(PUBLIC, "http://169.254.169.254/", ["169.254.169.254"])).toBe("link-local or metadata");
  });
});

describe("names", () => {
  const resolving = (...addresses: string[]) =>
    ((_: string, __: object, callback: (error: null, found: object[]) => void) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      )) as unknown as typeof lookup;

  const connect = (target: string, name: string, ...addresses: string[]) =>
    new Promise((done) => {
      const guard = addressGuard({ url: PUBLIC }, new URL(target), resolving(...addresses));
      guard.lookup(name, { all: true }, (error, found) => done(error?.message ?? found));
    });

  test("are judged by every address that they resolve to", async () => {
    expect(await connect("http://cdn.example/", "cdn.example", "93.184.215.14")).toHaveLength(1);
    expect(await connect("http://cdn.example/", "cdn.example", "93.184.215.14", "127.0.0.1")).toBe(
      "fetch http://cdn.example: cdn.example (127.0.0.1) is a loopback address, where this repository may not lead; add cdn.example to spec.allowedHosts of the HelmRepo if that is meant",
    );
    expect(await connect("http://cdn.example/", "cdn.example", "169.254.169.254")).toContain("metadata address");
    expect(await connect("http://cdn.example/", "cdn.example")).toBe("cdn.example has no address");
  });

  test("a repository's own may be anywhere but at a metadata service", async () => {
    expect(await connect(PUBLIC, "charts.example", "10.0.0.1")).toHaveLength(1);
    expect(await connect(PUBLIC, "charts.example", "169.254.169.254")).toContain("metadata address");
  });

  test("a repository's own on the usual port of the other scheme may be private too, and nothing nearer", async () => {
    expect(await connect("http://charts.example/x", "charts.example", "10.0.0.1")).toHaveLength(1);
    expect(await connect("http://charts.example/x", "charts.example", "127.0.0.1")).toContain("loopback address");
    expect(await connect("http://charts.example:8080/x", "charts.example", "10.0.0.1")).toContain("private address");
  });

  test("of a proxy are not", async () => {
    expect(await connect("http://cdn.example/", "proxy.corp.example", "10.0.0.1")).toHaveLength(1);
  });
});
