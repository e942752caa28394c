import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../knative/local/api/schema/json.ts";
import { validateObject } from "../../knative/local/api/schema/validate.ts";
import { VersionState } from "../../shared/lifecycle/states.ts";
import { TRANSITIONS } from "../../shared/lifecycle/transitions.ts";
import { kindInfo } from "./kind-info.ts";

const metadata = {
  name: "x",
  uid: "u",
  creationTimestamp: "2026-01-01T00:00:00Z",
  resourceVersion: "1",
  generation: 1,
};
const apiVersion = "application.kubesphere.io/v1alpha1";

function messages(object: JsonObject, old?: JsonObject): string[] {
  return validateObject(kindInfo(String(object.kind)), object, old).map(({ field, message }) => `${field}: ${message}`);
}

describe("the state of a version moves only as the table says", () => {
  const version = (status?: Json, spec: JsonObject = {}): JsonObject => ({
    apiVersion,
    kind: "HelmApplicationVersion",
    metadata,
    spec: { name: "redis", version: "1.2.3", ...spec },
    ...(status === undefined ? {} : { status }),
  });
  const legal = new Set(TRANSITIONS.flatMap(({ from, to }) => from.map((state) => `${state} → ${to}`)));
  const pairs = VersionState.options.flatMap((from) => VersionState.options.map((to) => [from, to] as const));

  test.each(pairs)("%s → %s", (from, to) => {
    const allowed = from === to || legal.has(`${from} → ${to}`);
    const errors = messages(version({ state: to }), version({ state: from }));
    expect(errors.length === 0, errors.join()).toBe(allowed);
    if (!allowed) expect(errors[0]).toContain("no act leads from the state this version is in");
  });

  test.each(VersionState.options)("a version with a package does not begin beyond its review: %s", (state) => {
    const uploaded = { package: "pkg-1" };
    const errors = messages(version({ state }, uploaded), version(undefined, uploaded));
    expect(errors.length === 0).toBe(["draft", "submitted"].includes(state));
  });

  test.each(VersionState.options)(
    "a version that is %s keeps its package, unless it is yet to be reviewed",
    (state) => {
      const before = version({ state }, { package: "pkg-1" });
      const changeable = ["draft", "rejected"].includes(state);
      for (const spec of [{ package: "pkg-2" }, {}]) {
        expect(messages(version({ state }, spec), before).length === 0).toBe(changeable);
      }
      expect(messages(version({ state }, { package: "pkg-1", description: "new" }), before)).toEqual([]);
    },
  );

  test("a version that was moved in may begin anywhere, but its state cannot be taken back", () => {
    expect(messages(version({ state: "active" }), version())).toEqual([]);
    expect(messages(version({ state: "passed" }), version({ audit: [] }))).toEqual([]);
    expect(messages(version({ audit: [] }), version({ state: "draft" }))).toHaveLength(1);
    expect(messages(version(), version({ state: "draft" }))[0]).toContain("cannot be taken back");
  });

  test("a state that nobody knows is refused", () => {
    expect(messages(version({ state: "sold" }), version())[0]).toContain("status.state: Unsupported value");
  });
});

test("a package never changes", () => {
  const spec = { digest: `sha256:${"ab".repeat(32)}`, size: 1 };
  const object: JsonObject = { apiVersion, kind: "HelmPackage", metadata, spec };
  expect(messages(object, object)).toEqual([]);
  expect(messages({ ...object, status: { files: 3 } }, object)).toEqual([]);
  expect(messages({ ...object, spec: { ...spec, size: 2 } }, object)[0]).toContain("a package never changes");
  expect(messages({ ...object, spec: { ...spec, digest: "md5:1" } })[0]).toContain("spec.digest: Invalid value");
});

test("a release keeps the name it was installed under", () => {
  const spec = { name: "web", chartName: "web", chartVersion: "1.0.0", version: 1 };
  const object: JsonObject = { apiVersion, kind: "HelmRelease", metadata: { ...metadata, namespace: "demo" }, spec };
  expect(messages({ ...object, spec: { ...spec, version: 2 } }, object)).toEqual([]);
  expect(messages({ ...object, spec: { ...spec, name: "shop" } }, object)[0]).toContain("cannot be renamed");
});

describe("a request names one place", () => {
  const request = (spec: JsonObject): JsonObject => ({
    apiVersion,
    kind: "HelmRequest",
    metadata,
    spec: { name: "web", appVerId: "appv-x", engine: "helm", ...spec },
  });
  const selector = { matchLabels: { env: "test" } };

  test.each<[string, JsonObject, string | undefined]>([
    ["a namespace", { namespace: "demo" }, undefined],
    ["a selector", { selector }, undefined],
    ["both", { namespace: "demo", selector }, "set exactly one of namespace and selector"],
    ["neither", {}, "set exactly one of namespace and selector"],
    ["a name that Helm refuses", { namespace: "demo", name: "Web" }, "spec.name: Invalid value"],
    ["a name that is too long", { namespace: "demo", name: "a".repeat(54) }, "spec.name: Too long"],
    ["an unknown engine", { namespace: "demo", engine: "make" }, "spec.engine: Unsupported value"],
  ])("%s", (_, spec, problem) => {
    const errors = messages(request(spec));
    if (problem === undefined) expect(errors).toEqual([]);
    else expect(errors[0]).toContain(problem);
  });
});

test("statuses that KubeSphere requires are required here", () => {
  const app: JsonObject = {
    apiVersion,
    kind: "HelmApplication",
    metadata,
    spec: { name: "x" },
    status: { state: "draft" },
  };
  expect(messages(app)).toEqual([
    expect.stringContaining("status.statusTime: Required value"),
    expect.stringContaining("status.updateTime: Required value"),
  ]);
});

describe("a receiver has what its producer proves itself with", () => {
  const repo = (...receivers: JsonObject[]): JsonObject => ({
    apiVersion,
    kind: "HelmRepo",
    metadata,
    spec: { name: "charts", url: "https://charts.example.org", ...(receivers.length === 0 ? {} : { receivers }) },
  });
  const secretRef = { name: "hook" };
  const topicArn = "arn:aws:sns:eu-west-1:123456789012:pushes";
  const oidc = { audience: "https://store.example.org", email: "push@acme.example" };

  test.each<[string, JsonObject[], string]>([
    ["no receivers", [], ""],
    ["harbor with a Secret", [{ name: "a", type: "harbor", secretRef }], ""],
    ["sns with a topic", [{ name: "a", type: "sns", topicArn }], ""],
    ["artifact-registry with oidc", [{ name: "a", type: "artifact-registry", oidc }], ""],
    ["harbor without a Secret", [{ name: "a", type: "harbor" }], "needs secretRef"],
    ["sns without a topic", [{ name: "a", type: "sns", secretRef }], "needs topicArn"],
    ["artifact-registry without oidc", [{ name: "a", type: "artifact-registry", secretRef }], "needs oidc"],
    ["a topic that is none", [{ name: "a", type: "sns", topicArn: "arn:aws:s3:::bucket" }], "topicArn"],
    ["an unknown producer", [{ name: "a", type: "bitbucket", secretRef }], "type"],
    ["a name that is no part of an address", [{ name: "a/b", type: "harbor", secretRef }], "name"],
    ["two of one name", [1, 2].map(() => ({ name: "a", type: "harbor", secretRef })), "Duplicate"],
  ])("%s", (_, receivers, problem) => {
    const errors = messages(repo(...receivers));
    expect(errors.length === 0, errors.join()).toBe(problem === "");
    expect(errors.join()).toContain(problem);
  });
});
