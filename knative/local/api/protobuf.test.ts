import fc from "fast-check";
import { PbfWriter } from "pbf";
import { describe, expect, test } from "vitest";
import { ApiError } from "./errors.ts";
import { decodeProtobuf, isProtobuf } from "./protobuf.ts";
import { messageFields, messageOfKind } from "./protobuf-messages.ts";

type Write = (writer: PbfWriter) => void;
const inner = (writer: PbfWriter, field: number, write: Write): void =>
  writer.writeMessage(field, (_: null, into: PbfWriter) => write(into), null);

function envelope(apiVersion: string, kind: string, write: Write): Buffer {
  const raw = new PbfWriter();
  write(raw);
  const unknown = new PbfWriter();
  inner(unknown, 1, (type) => {
    type.writeStringField(1, apiVersion);
    type.writeStringField(2, kind);
  });
  unknown.writeBytesField(2, raw.finish());
  return Buffer.concat([Buffer.from("k8s\0"), unknown.finish()]);
}

describe("protobuf bodies", () => {
  test("become the JSON of the object, zero values left out unless they mean something", () => {
    const bytes = envelope("apps/v1", "Deployment", (writer) => {
      inner(writer, 1, (metadata) => {
        metadata.writeStringField(1, "web");
        metadata.writeStringField(3, "");
        metadata.writeVarintField(7, 0);
        inner(metadata, 8, (time) => time.writeVarintField(1, 0));
      });
      inner(writer, 2, (spec) => {
        spec.writeVarintField(1, 0);
        inner(spec, 3, (template) =>
          inner(template, 2, (pod) => {
            inner(pod, 1, (volume) => {
              volume.writeStringField(1, "tmp");
              inner(volume, 2, (source) => inner(source, 2, () => {}));
            });
            inner(pod, 2, (container) => {
              container.writeStringField(1, "main");
              inner(container, 8, (resources) =>
                inner(resources, 1, (limit) => {
                  limit.writeStringField(1, "cpu");
                  inner(limit, 2, (quantity) => quantity.writeStringField(1, "100m"));
                }),
              );
            });
          }),
        );
        inner(spec, 4, (strategy) =>
          inner(strategy, 2, (rolling) =>
            inner(rolling, 1, (unavailable) => {
              unavailable.writeVarintField(1, 1);
              unavailable.writeVarintField(2, 0);
              unavailable.writeStringField(3, "25%");
            }),
          ),
        );
      });
    });
    expect(decodeProtobuf(bytes)).toEqual({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: {
        replicas: 0,
        strategy: { rollingUpdate: { maxUnavailable: "25%" } },
        template: {
          spec: {
            volumes: [{ name: "tmp", emptyDir: {} }],
            containers: [{ name: "main", resources: { limits: { cpu: "100m" } } }],
          },
        },
      },
    });
  });

  test("carry times, lists and field managers", () => {
    const bytes = envelope("v1", "ConfigMap", (writer) =>
      inner(writer, 1, (metadata) => {
        inner(metadata, 8, (time) => time.writeVarintField(1, 1_700_000_000));
        for (const finalizer of ["a.example/x", "b.example/y"]) metadata.writeStringField(14, finalizer);
        inner(metadata, 17, (manager) => {
          manager.writeStringField(1, "helm");
          inner(manager, 7, (fields) => fields.writeBytesField(1, Buffer.from('{"f:data":{}}')));
        });
      }),
    );
    expect(decodeProtobuf(bytes)).toMatchObject({
      metadata: {
        creationTimestamp: "2023-11-14T22:13:20Z",
        finalizers: ["a.example/x", "b.example/y"],
        managedFields: [{ manager: "helm", fieldsV1: { "f:data": {} } }],
      },
    });
  });

  test("of kinds without a message are refused with 415", () => {
    const bytes = envelope("example.io/v1", "Thing", () => {});
    expect(() => decodeProtobuf(bytes)).toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code: 415 }) }),
    );
  });

  test("of any bytes either decode or are refused, quickly", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.constantFrom("Pod", "Secret", "DeleteOptions"),
        (noise, kind) => {
          const bytes = envelope("v1", kind, () => {});
          const body = Buffer.concat([bytes, Buffer.from([0x12, noise.length & 127]), Buffer.from(noise)]);
          try {
            decodeProtobuf(body);
          } catch (error) {
            expect(error).toBeInstanceOf(ApiError);
          }
        },
      ),
    );
  });

  test("are told from JSON by their first bytes", () => {
    expect([isProtobuf(Buffer.from("k8s\0x")), isProtobuf(Buffer.from("{}")), isProtobuf(Buffer.alloc(0))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test.each([
    ["v1", "Secret", "k8s.io.api.core.v1.Secret"],
    ["v1", "DeleteOptions", "k8s.io.apimachinery.pkg.apis.meta.v1.DeleteOptions"],
    ["rbac.authorization.k8s.io/v1", "Role", "k8s.io.api.rbac.v1.Role"],
    ["authentication.k8s.io/v1", "TokenRequest", "k8s.io.api.authentication.v1.TokenRequest"],
  ])("%s %s is the message %s", (apiVersion, kind, message) => {
    expect(messageOfKind(apiVersion, kind)).toBe(message);
    expect(messageFields(message)).toBeDefined();
  });
});
