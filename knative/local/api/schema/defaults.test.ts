import { describe, expect, test } from "vitest";
import { applyDefaults, prune } from "./defaults.ts";
import { at, type Json, listOf } from "./json.ts";
import { builtinKinds, type KindInfo } from "./kinds.ts";

function kindOf(name: string): KindInfo {
  const kind = builtinKinds().find((one) => one.kind === name);
  if (kind === undefined) throw new Error(`no built-in kind ${name}`);
  return kind;
}

function filled(kind: string, object: Json): Json {
  return applyDefaults(kindOf(kind), object);
}

describe("what the API server fills in", () => {
  const template = {
    spec: {
      containers: [
        { name: "c", image: "i:1", ports: [{ containerPort: 80 }], livenessProbe: { httpGet: { port: 80 } } },
      ],
    },
  };

  test("a Deployment gets its replicas, strategy and pod defaults, and filling in again changes nothing", () => {
    const once = filled("Deployment", { spec: { selector: {}, template } });
    expect(at(once, "spec", "replicas")).toBe(1);
    expect(at(once, "spec", "strategy")).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" },
    });
    const [container] = listOf(at(once, "spec", "template", "spec", "containers"));
    expect(container).toMatchObject({
      imagePullPolicy: "IfNotPresent",
      ports: [{ containerPort: 80, protocol: "TCP" }],
      livenessProbe: { httpGet: { port: 80, path: "/", scheme: "HTTP" }, periodSeconds: 10 },
    });
    expect(filled("Deployment", once)).toEqual(once);
  });

  test.each([
    ["nginx", "Always"],
    ["nginx:latest", "Always"],
    ["registry:5000/nginx", "Always"],
    ["nginx:1.2", "IfNotPresent"],
    ["nginx@sha256:abc", "IfNotPresent"],
  ])("image %s is pulled %s", (image, policy) => {
    const pod = filled("Pod", { spec: { containers: [{ name: "c", image }] } });
    expect(at(listOf(at(pod, "spec", "containers"))[0], "imagePullPolicy")).toBe(policy);
  });

  test("a Recreate strategy gets no rolling update", () => {
    const object = filled("Deployment", { spec: { strategy: { type: "Recreate" }, template } });
    expect(at(object, "spec", "strategy")).toEqual({ type: "Recreate" });
  });

  test("a Secret's plain texts become its data", () => {
    expect(filled("Secret", { stringData: { a: "b" }, data: { c: "Z\nA==" } })).toEqual({
      type: "Opaque",
      data: { a: "Yg==", c: "ZA==" },
    });
  });

  test("a Service's ports point at themselves", () => {
    const object = filled("Service", { spec: { ports: [{ port: 80 }] } });
    expect(at(object, "spec", "ports")).toEqual([{ port: 80, protocol: "TCP", targetPort: 80 }]);
    expect(at(object, "spec", "type")).toBe("ClusterIP");
  });

  test("nulls of a built-in object go", () => {
    const object = filled("ConfigMap", {
      metadata: { name: "a", creationTimestamp: null, labels: null },
      data: { a: "b" },
    });
    expect(object).toEqual({ metadata: { name: "a" }, data: { a: "b" } });
  });
});

describe("unknown fields", () => {
  test("are dropped with their paths, raw JSON and fieldsV1 stay", () => {
    const managedFields = [{ manager: "m", fieldsV1: { "f:spec": { "f:replicas": {} } } }];
    const object = {
      metadata: { name: "a", foo: 1, managedFields },
      spec: { bar: { x: 1 }, template: { spec: { containers: [{ name: "c", baz: 1 }] } } },
    };
    const { object: kept, unknown } = prune(kindOf("Deployment"), object);
    expect(unknown).toEqual(["metadata.foo", "spec.bar", "spec.template.spec.containers[0].baz"]);
    expect(at(kept, "metadata", "managedFields")).toEqual(managedFields);
    const revision = { metadata: { name: "r" }, data: { anything: [1, { goes: true }] }, revision: 1 };
    expect(prune(kindOf("ControllerRevision"), revision)).toEqual({ object: revision, unknown: [] });
  });

  test("a definition's schema keeps its own fields", () => {
    const schema = {
      type: "object",
      properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true, default: { a: null } } },
    };
    const crd = { spec: { versions: [{ name: "v1", schema: { openAPIV3Schema: schema } }] } };
    expect(prune(kindOf("CustomResourceDefinition"), crd)).toEqual({ object: crd, unknown: [] });
    expect(at(applyDefaults(kindOf("CustomResourceDefinition"), crd), "spec", "versions")).toEqual(crd.spec.versions);
  });
});
