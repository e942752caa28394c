import { describe, expect, test } from "vitest";
import { given } from "../../test/support/objects.ts";
import { apiVersionOf } from "../resource.ts";
import type { Secret } from "../resources/core.ts";
import { HelmRepo } from "../resources/helm-repo.ts";
import { repositoryAccess, secretName, secretProblem } from "./repository-access.ts";

type Spec = HelmRepo["spec"];

const URL = "https://charts.example/stable";
const VERIFIED = { url: URL, insecureSkipTLSVerify: false };

const repoWith = (spec: Partial<Spec>) =>
  given(HelmRepo, "repo-1", { spec: { name: "stable", url: URL, ...spec } as Spec });

const secretWith = (data: Record<string, string>, type = "Opaque"): Secret => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "sign-in", namespace: "openpitrix" },
  type,
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")])),
});

const access = (spec: Partial<Spec>, data?: Record<string, string>) =>
  repositoryAccess(repoWith(spec), data && secretWith(data));

describe("access to a repository", () => {
  test("verifies TLS unless told not to", () => {
    expect(access({})).toEqual(VERIFIED);
    expect(access({ credential: {} })).toEqual(VERIFIED);
    expect(access({ credential: { insecureSkipTLSVerify: true } }).insecureSkipTLSVerify).toBe(true);
  });

  test("takes KubeSphere's credentials from the object, and the Secret's before them", () => {
    const credential = { username: "ann", password: "old", accessKeyID: "AK", secretAccessKey: "SK", caFile: "" };
    expect(access({ credential })).toMatchObject({ username: "ann", password: "old" });
    expect(access({ credential }).s3).toEqual({ accessKeyID: "AK", secretAccessKey: "SK" });
    const replaced = access({ credential }, { password: "new", secretAccessKey: "SK2" });
    expect(replaced).toMatchObject({ username: "ann", password: "new", s3: { secretAccessKey: "SK2" } });
  });

  test.each<[string, Record<string, string>, object]>([
    ["basic", { username: "ann", password: "secret\n" }, { username: "ann", password: "secret" }],
    ["a bearer token", { token: "t0ken\r\n" }, { token: "t0ken" }],
    ["a client certificate", { "tls.crt": "C", "tls.key": "K", "ca.crt": "A" }, { cert: "C", key: "K", ca: "A" }],
    [
      "keys of a bucket",
      { accessKeyID: "AK", secretAccessKey: "SK", sessionToken: "S" },
      {
        s3: { accessKeyID: "AK", secretAccessKey: "SK", sessionToken: "S" },
      },
    ],
  ])("understands a Secret with %s", (_, data, expected) => {
    expect(access({}, data)).toEqual({ ...VERIFIED, ...expected });
  });

  test("carries what the spec says about charts, hosts and the bucket", () => {
    const s3 = { endpoint: "https://minio.example", region: "eu-1", addressing: "path" as const };
    const spec = { charts: ["web"], allowedHosts: ["10.0.0.1"], plainHttp: true, s3 };
    expect(access(spec)).toEqual({ ...VERIFIED, ...spec });
  });
});

describe("a Docker configuration", () => {
  const config = (auths: object) => ({ ".dockerconfigjson": JSON.stringify({ auths }) });
  const basic = Buffer.from("ann:pa:ss").toString("base64");

  test.each<[string, object, object]>([
    [
      "oci://registry.example:5000/charts",
      { "registry.example:5000": { auth: basic } },
      { username: "ann", password: "pa:ss" },
    ],
    [
      "oci://REGISTRY.example/charts",
      { "https://registry.example/v2/": { username: "bob", password: "s" } },
      { username: "bob", password: "s" },
    ],
    [
      "oci://docker.io/team",
      { "https://index.docker.io/v1/": { auth: basic } },
      { username: "ann", password: "pa:ss" },
    ],
    ["https://charts.example", { "charts.example": { registrytoken: "t0ken" } }, { token: "t0ken" }],
  ])("signs in to %s", (url, auths, expected) => {
    expect(access({ url }, config(auths))).toEqual({ url, insecureSkipTLSVerify: false, ...expected });
  });

  test.each<[Record<string, string>, string]>([
    [config({ "other.example": { auth: basic } }), "signs in to other.example and not to charts.example"],
    [config({}), "signs in to no host and not to charts.example"],
    [
      config({ "charts.example": { identitytoken: "hidden" } }),
      "neither auth nor username and password for charts.example",
    ],
    [{ ".dockerconfigjson": "hidden{" }, "is no Docker configuration"],
    [{ ".dockerconfigjson": '{"auths": "hidden"}' }, "is no Docker configuration"],
  ])("that cannot be used is refused without showing it: %#", (data, message) => {
    expect(() => access({}, data)).toThrow(message);
    expect(() => access({}, data)).not.toThrow("hidden");
  });
});

describe("credentials that cannot be used", () => {
  test.each(["caFile", "certFile", "keyFile"] as const)("a path in %s is another machine's", (field) => {
    const credential = { [field]: "/etc/certs/x.pem" };
    expect(() => access({ credential })).toThrow(`spec.credential.${field} of HelmRepo repo-1 names a file of another`);
    const data = { "ca.crt": "A", "tls.crt": "C", "tls.key": "K" };
    expect(access({ credential }, data)).toMatchObject({ ca: "A" });
  });

  test.each<[Record<string, string>, string]>([
    [{ user: "ann" }, "Secret openpitrix/sign-in holds none of username, password, token"],
    [{}, "holds none of"],
    [{ "tls.crt": "C" }, "only one of tls.crt and tls.key"],
    [{ "tls.key": "K" }, "only one of tls.crt and tls.key"],
  ])("a Secret with %j is refused", (data, message) => {
    expect(() => access({}, data)).toThrow(message);
  });

  test("a Secret that was made for another repository is refused", () => {
    const secret = secretWith({ password: "s3cret" });
    const owned = (name: string): Secret => {
      const ownerReferences = [{ apiVersion: apiVersionOf(HelmRepo), kind: HelmRepo.kind, name, uid: "1" }];
      return { ...secret, metadata: { ...secret.metadata, ownerReferences } };
    };
    expect(repositoryAccess(repoWith({}), owned("repo-1"))).toMatchObject({ password: "s3cret" });
    expect(() => repositoryAccess(repoWith({}), owned("repo-2"))).toThrow(
      "Secret openpitrix/sign-in holds the credentials of HelmRepo repo-2 and is for that alone",
    );
  });

  test("a Secret outside the store's namespace is", () => {
    expect(secretProblem(repoWith({ secretRef: { name: "x", namespace: "kube-system" } }))).toContain("put it there");
    expect(secretProblem(repoWith({ secretRef: { name: "x" } }))).toBeUndefined();
    expect(secretName(repoWith({ secretRef: { name: "x" } }))).toEqual({ name: "x", namespace: "openpitrix" });
  });
});
