import { PbfWriter } from "pbf";
import { describe, expect, test } from "vitest";
import { expectCode, expectStatus } from "./client.ts";
import { configMap, fresh, useCluster } from "./fixture.ts";

const fixture = useCluster();
const maps = (rest = ""): string => fixture.core(`configmaps${rest}`);
const protobuf = "application/vnd.kubernetes.protobuf";

/** The envelope in which clients send protobuf. */
function envelope(apiVersion: string, kind: string, write: (writer: PbfWriter) => void): Buffer {
  const raw = new PbfWriter();
  write(raw);
  const unknown = new PbfWriter();
  unknown.writeMessage(
    1,
    (type: { apiVersion: string; kind: string }, writer: PbfWriter) => {
      writer.writeStringField(1, type.apiVersion);
      writer.writeStringField(2, type.kind);
    },
    { apiVersion, kind },
  );
  unknown.writeBytesField(2, raw.finish());
  return Buffer.concat([Buffer.from("k8s\0"), unknown.finish()]);
}

const pair = ([key, value]: [string, string], writer: PbfWriter): void => {
  writer.writeStringField(1, key);
  writer.writeBytesField(2, Buffer.from(value));
};

describe("bodies", () => {
  test("may be YAML", async () => {
    const body = `metadata:\n  name: ${fresh()}\ndata:\n  a: b\n`;
    const reply = await fixture.client.send("POST", maps(), { body, type: "application/yaml" });
    expect(expectCode(reply, 201).body.data).toEqual({ a: "b" });
  });

  test("may be protobuf, as Helm sends Secrets", async () => {
    const name = fresh("pb");
    const body = envelope("v1", "Secret", (writer) => {
      writer.writeMessage(
        1,
        (metadata: { name: string }, into: PbfWriter) => {
          into.writeStringField(1, metadata.name);
          into.writeStringField(2, "");
          into.writeVarintField(7, 0);
          into.writeMessage(8, () => {}, {});
          into.writeMessage(11, pair, ["owner", "helm"]);
        },
        { name },
      );
      writer.writeMessage(2, pair, ["release", "bytes"]);
      writer.writeStringField(3, "helm.sh/release.v1");
    });
    const reply = expectCode(await fixture.client.send("POST", fixture.core("secrets"), { body, type: protobuf }), 201);
    expect(reply.body).toMatchObject({
      type: "helm.sh/release.v1",
      data: { release: Buffer.from("bytes").toString("base64") },
      metadata: { name, labels: { owner: "helm" } },
    });
    expect(reply.body.metadata).not.toHaveProperty("generateName");
  });

  test("of broken protobuf are refused", async () => {
    const body = Buffer.concat([Buffer.from("k8s\0"), Buffer.from([0xff, 0xff, 0xff])]);
    expectCode(await fixture.client.send("POST", fixture.core("secrets"), { body, type: protobuf }), 400);
  });

  test.each(["{", "[]", '"text"'])("of %j are refused", async (body) => {
    expectStatus(await fixture.client.send("POST", maps(), { body }), 400, "BadRequest");
  });

  test("of nothing are objects without fields", async () => {
    const reply = await fixture.client.send("POST", maps(), { body: "null" });
    expect(expectStatus(reply, 422, "Invalid").message).toContain("name or generateName is required");
  });

  test("of another type are refused", async () => {
    const reply = await fixture.client.send("POST", maps(), { body: "<x/>", type: "application/xml" });
    expect(expectStatus(reply, 415, "UnsupportedMediaType").message).toContain("application/json");
  });

  test("beyond three mebibytes are refused", async () => {
    const reply = await fixture.client.post(maps(), configMap(fresh(), { data: { big: "x".repeat(3 * 1024 * 1024) } }));
    expectStatus(reply, 413, "RequestEntityTooLarge");
  });

  test("with a ConfigMap of more than a mebibyte are refused", async () => {
    const reply = await fixture.client.post(maps(), configMap(fresh(), { data: { big: "x".repeat(1024 * 1024 + 1) } }));
    expectStatus(reply, 422, "Invalid");
  });

  test("keep text that is no ASCII", async () => {
    const name = fresh();
    const data = { text: 'Grüße, 世界 \u{1f680} \\ " \n' };
    await fixture.client.post(maps(), configMap(name, { data }));
    expect((await fixture.client.get(maps(`/${name}`))).body.data).toEqual(data);
  });

  test("keep text that looks like metadata", async () => {
    const name = fresh();
    const data = { text: '"metadata":{"resourceVersion":"1",' };
    const created = (await fixture.client.post(maps(), configMap(name, { data }))).body;
    const { body } = await fixture.client.patch(maps(`/${name}`), "merge", { metadata: { labels: { a: "b" } } });
    expect(body.data).toEqual(data);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(Number(created.metadata.resourceVersion));
  });
});

describe("answers", () => {
  test("are JSON", async () => {
    expect((await fixture.client.get(maps())).headers["content-type"]).toContain("application/json");
  });

  test("that are long are compressed when the client can read it", async () => {
    const name = fresh();
    await fixture.client.post(maps(), configMap(name, { data: { big: "x".repeat(300_000) } }));
    const zipped = await fixture.client.get(maps(`/${name}`), { "accept-encoding": "gzip" });
    expect(zipped.headers["content-encoding"]).toBe("gzip");
    expect(zipped.body.data.big).toHaveLength(300_000);
    expect((await fixture.client.get(maps(`/${name}`))).headers["content-encoding"]).toBeUndefined();
  });

  test("fall back to JSON when protobuf is preferred and JSON allowed", async () => {
    const reply = await fixture.client.get("/apis/contract.example/v1", { accept: `${protobuf},application/json` });
    expectCode(reply, 404);
  });

  test("with escaped paths find the object", async () => {
    const name = fresh("a.b");
    await fixture.client.post(maps(), configMap(name));
    expectCode(await fixture.client.get(maps(`/${encodeURIComponent(name).replaceAll(".", "%2E")}`)), 200);
  });

  test("to hundred requests at once are all there", async () => {
    const replies = await Promise.all(Array.from({ length: 100 }, () => fixture.client.get(maps())));
    expect(new Set(replies.map((reply) => reply.code))).toEqual(new Set([200]));
  });
});
