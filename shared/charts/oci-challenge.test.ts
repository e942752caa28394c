import { expect, test } from "vitest";
import { isLoopback, parseChallenge, realmProblem } from "./oci-challenge.ts";

const DOCKER = 'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:a/b:pull"';

test.each([
  [DOCKER, { realm: "https://auth.docker.io/token", service: "registry.docker.io", scope: "repository:a/b:pull" }],
  ['bearer  Realm = "https://h/t" , service=plain', { realm: "https://h/t", service: "plain" }],
  ['Basic realm="x, y", Bearer realm="https://h/t"', { realm: "https://h/t" }],
  ['Bearer realm="https://h/\\"q\\"",scope=""', { realm: "https://h/%22q%22" }],
])("%s asks for a token", (header, { realm, ...expected }) => {
  expect(parseChallenge(header)).toEqual({ scheme: "bearer", realm: new URL(realm), ...expected });
});

test("Basic asks for user name and password, also where a token has no readable realm", () => {
  expect(parseChallenge('Basic realm="Registry"')).toEqual({ scheme: "basic" });
  expect(parseChallenge('Bearer realm="no url", Basic realm="r"')).toEqual({ scheme: "basic" });
});

test.each([undefined, "", "Negotiate", 'Bearer realm="/token"', `Bearer realm="https://h/${"a".repeat(10_000)}"`])(
  "%s says nothing",
  (header) => expect(parseChallenge(header)).toBeUndefined(),
);

test("a long header of quotes takes no time", () => {
  const started = performance.now();
  parseChallenge(`Bearer ${'a="\\'.repeat(100_000)}`);
  expect(performance.now() - started).toBeLessThan(200);
});

test.each([
  ["https://registry.example", "https://auth.example/token", undefined],
  ["https://registry.example", "https://registry.example/token", undefined],
  ["http://registry.example:5000", "http://registry.example:5000/token", undefined],
  ["http://127.0.0.1:5000", "http://localhost:6000/token", undefined],
  ["https://registry.example", "http://auth.example/token", "plain http"],
  ["https://registry.example", "http://registry.example/token", "plain http"],
  ["https://registry.example", "http://127.0.0.1/token", "plain http"],
  ["http://registry.example:5000", "http://registry.example:6000/token", "plain http"],
  ["https://registry.example", "ftp://registry.example/token", "scheme ftp:"],
  ["https://registry.example", "https://a:b@registry.example/token", "carries credentials"],
])("registry %s may have tokens issued at %s: %s", (registry, realm, problem) => {
  const found = realmProblem(new URL(registry), new URL(realm));
  expect(found).toEqual(problem === undefined ? undefined : expect.stringContaining(problem));
});

test("loopback is this machine, whatever it is called", () => {
  expect(["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]"].every(isLoopback)).toBe(true);
  expect(["localhost.example", "10.0.0.1", "127.0.0.1.example", "[::2]"].some(isLoopback)).toBe(false);
});
