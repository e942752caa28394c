import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { type CredentialValues, readCredentials } from "./credentials.ts";
import { newRepo, type RepoValues } from "./new-repo.ts";

const NO_VALUES: RepoValues = {
  workspace: undefined,
  description: undefined,
  every: undefined,
  charts: undefined,
  visibility: undefined,
  keep: undefined,
  verify: undefined,
  "keyring-secret": undefined,
  "cosign-secret": undefined,
  "insecure-skip-tls-verify": false,
};

const repo = (values: Partial<RepoValues> = {}, url = "https://charts.example.com", name = "web") =>
  newRepo({ name, url, secret: undefined, values: { ...NO_VALUES, ...values } });

describe("a repository", () => {
  test("has what the command line says and nothing else", () => {
    expect(repo()).toEqual({
      metadata: { name: "web" },
      spec: { name: "web", url: "https://charts.example.com", type: "http" },
    });
    const values = {
      workspace: "team",
      every: "1h",
      charts: "a,b",
      keep: "3",
      verify: "require",
      "cosign-secret": "keys",
    };
    expect(repo(values, "oci://registry.example.com/charts")).toMatchObject({
      metadata: { labels: { "kubesphere.io/workspace": "team" } },
      spec: {
        type: "oci",
        syncPeriod: 3600,
        charts: ["a", "b"],
        versionHistoryLimit: 3,
        verify: { policy: "require", cosign: { secretRef: { name: "keys" } } },
      },
    });
  });

  test.each<[string, () => unknown, RegExp]>([
    ["a name with capitals", () => repo({}, "https://x", "Web"), /Web is no name/],
    ["a path", () => repo({}, "/charts"), /no address of a repository/],
    ["another scheme", () => repo({}, "ftp://x"), /no address of a repository/],
    ["a password in the URL", () => repo({}, "https://ann:pw@x"), /holds a password/],
    ["signatures without keys", () => repo({ verify: "require" }), /needs keys/],
    ["keys without a policy", () => repo({ "cosign-secret": "k" }), /--verify/],
    ["an unknown policy", () => repo({ verify: "maybe", "cosign-secret": "k" }), /choose off, warn, require/],
    ["no number", () => repo({ keep: "all" }), /no number/],
  ])("is not made of %s", (_, make, message) => {
    expect(make).toThrow(message);
  });
});

const NO_CREDENTIALS: CredentialValues = {
  secret: undefined,
  username: undefined,
  "password-stdin": false,
  "token-stdin": false,
  "ca-file": undefined,
  "cert-file": undefined,
  "key-file": undefined,
};

function credentials(values: Partial<CredentialValues>, from: { env?: object; input?: string } = {}) {
  const environment = { KUBECONFIG: "", ...from.env };
  const stdin = Readable.from(from.input === undefined ? [] : [from.input]);
  return readCredentials({ ...NO_CREDENTIALS, ...values }, { environment, stdin });
}

describe("credentials", () => {
  test("come from standard input or the environment", async () => {
    const ann = { username: "ann" };
    const piped = { ...ann, "password-stdin": true };
    expect(await credentials(piped, { input: "pw\r\n" })).toEqual({ ...ann, password: "pw" });
    expect(await credentials(ann, { env: { OPX_PASSWORD: "pw" } })).toEqual({ ...ann, password: "pw" });
    expect(await credentials({ "token-stdin": true }, { input: "tok\n" })).toEqual({ token: "tok" });
    expect(await credentials({}, { env: { OPX_TOKEN: "tok" } })).toEqual({ token: "tok" });
    expect(await credentials({ secret: "mine" }, { env: { OPX_TOKEN: "tok" } })).toEqual({});
    expect(await credentials({})).toEqual({});
  });

  test.each<[string, Partial<CredentialValues>, RegExp]>([
    ["a user without password", { username: "ann" }, /OPX_PASSWORD/],
    ["a password without user", { "password-stdin": true }, /needs --username/],
    ["nothing on standard input", { username: "ann", "password-stdin": true }, /is empty/],
    ["a Secret and a user", { secret: "mine", username: "ann" }, /leave the other credentials out/],
    ["both on standard input", { username: "a", "password-stdin": true, "token-stdin": true }, /choose one/],
    ["a certificate without key", { "cert-file": "x.pem" }, /--key-file/],
    ["a file that is not there", { "ca-file": "/nonexistent/ca.pem" }, /cannot be read/],
  ])("are not made of %s", async (_, values, message) => {
    await expect(credentials(values)).rejects.toThrow(message);
  });
});
