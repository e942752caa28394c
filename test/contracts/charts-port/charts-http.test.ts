import { createServer } from "node:net";
import { deflateSync, gzipSync } from "node:zlib";
import { generate } from "selfsigned";
import { beforeAll, describe, expect, test } from "vitest";
import { createCharts } from "../../../shared/adapters/charts.ts";
import { createFetchHead } from "../../../shared/adapters/charts-http-fetch.ts";
import type { RepositoryAccess } from "../../../shared/ports.ts";
import { failure } from "../kube-port/scripted-server.ts";
import { drip, hostile } from "./hostile-server.ts";
import { readIndexText } from "./index-text.ts";

const INDEX = "apiVersion: v1\nentries: {}\n";
/** Many chunks, none like another. */
const LONG = Array.from({ length: 100_000 }, (_, line) => `line: ${line}\n`).join("");
const charts = createCharts(createFetchHead());
const small = createCharts(createFetchHead(), { maxIndexBytes: 10_000, maxPackageBytes: 10_000 });
const brief = createCharts(createFetchHead(), { indexMs: 5_000, totalMs: 5_000, idleMs: 400 });

describe("index", () => {
  test("is fetched below the repository's URL, its query kept", async () => {
    const { url, requests } = await hostile((_, response) => {
      response.setHeader("etag", '"one"').setHeader("last-modified", "Sat, 21 Nov 2026 10:00:00 GMT").end(INDEX);
    });
    expect(await readIndexText(charts, { url: `${url}/charts/?channel=a` })).toEqual({
      changed: true,
      text: INDEX,
      etag: '"one"',
      lastModified: "Sat, 21 Nov 2026 10:00:00 GMT",
    });
    expect(requests[0]?.url).toBe("/charts/index.yaml?channel=a");
    expect(requests[0]?.headers["user-agent"]).toMatch(/^openpitrix\/\d/);
  });

  test("is not sent again where it has not changed", async () => {
    const { url, requests } = await hostile((_, response) => response.writeHead(304).end());
    const known = { etag: '"one"', lastModified: "Sat, 21 Nov 2026 10:00:00 GMT" };
    expect(await readIndexText(charts, { url }, known)).toEqual({ changed: false });
    expect(requests[0]?.headers).toMatchObject({ "if-none-match": '"one"', "if-modified-since": known.lastModified });
    expect((await failure(readIndexText(charts, { url }))).message).toContain("304 to a request without conditions");
  });

  test("conditions that cannot stand in a header are left out", async () => {
    const { url, requests } = await hostile((_, response) => response.end(INDEX));
    await readIndexText(charts, { url }, { etag: "a\r\nx-evil: 1", lastModified: "ü" });
    expect(requests[0]?.headers).not.toHaveProperty("if-none-match");
    expect(requests[0]?.headers).not.toHaveProperty("if-modified-since");
  });

  test.each([
    ["gzip", gzipSync(INDEX)],
    ["deflate", deflateSync(INDEX)],
  ])("%s is undone", async (encoding, bytes) => {
    const { url } = await hostile((_, response) => response.setHeader("content-encoding", encoding).end(bytes));
    expect(await readIndexText(charts, { url })).toMatchObject({ text: INDEX });
  });
});

describe("limits", () => {
  test.each([
    ["an endless body", {}, () => Buffer.alloc(4096, "x")],
    ["a gzip bomb", { "content-encoding": "gzip" }, () => gzipSync(Buffer.alloc(10_000_000))],
    ["a long announcement", { "content-length": "10001" }, () => Buffer.from("x")],
  ])("%s is TooLarge and the connection is closed", async (_, headers, chunk) => {
    const closed = Promise.withResolvers<void>();
    const { url } = await hostile((_request, response) => {
      response.writeHead(200, headers as Record<string, string>).on("close", closed.resolve);
      const more = () => {
        if (!response.destroyed) response.write(chunk(), (error) => error ?? setImmediate(more));
      };
      more();
    });
    const error = await failure(readIndexText(small, { url }));
    expect(error.kind).toBe("TooLarge");
    expect(error.message).toContain("more than 10000");
    await closed.promise;
  });

  test("a silent server and a dripping one are Unavailable in time", async () => {
    const silent = await hostile(() => undefined);
    expect((await failure(readIndexText(brief, { url: silent.url }))).message).toContain("silent for 400 ms");
    const dripping = await hostile(drip(20));
    for (const fetching of [
      () => readIndexText(brief, { url: dripping.url }),
      () => brief.fetchPackage({ url: dripping.url }, `${dripping.url}/c.tgz`),
    ]) {
      const error = await failure(fetching());
      expect(error.kind).toBe("Unavailable");
      expect(error.message).toMatch(/broke off after \d+ bytes \(the server sent \d+ bytes in \d+ ms, at least 8192/);
    }
  });

  test.each([
    ["of a known length", { "content-length": `${LONG.length}` }, LONG],
    ["of unknown length", { "transfer-encoding": "chunked" }, LONG],
    ["that is compressed", { "content-encoding": "gzip" }, gzipSync(LONG)],
  ])("a long body %s comes whole", async (_, headers, body) => {
    const { url } = await hostile((_, response) => response.writeHead(200, headers).end(body));
    expect(await readIndexText(charts, { url })).toMatchObject({ text: LONG });
  });

  test("the memory of a chunk is given back once the next is asked for", async () => {
    const { url } = await hostile((_, response) => response.end(LONG));
    const fetched = await charts.fetchIndex({ url });
    if (!fetched.changed) throw new Error("changed was expected");
    const chunks = await Array.fromAsync(fetched.chunks, (chunk) => ({ chunk, arrived: chunk.length }));
    expect(chunks.reduce((sum, { arrived }) => sum + arrived, 0)).toBe(LONG.length);
    expect(chunks.map(({ chunk }) => chunk.length)).toEqual(chunks.map(() => 0));
  });

  test("a reader may take its time", async () => {
    const { url } = await hostile((_, response) => {
      response.write("a");
      setImmediate(() => response.end("b"));
    });
    const fetched = await brief.fetchIndex({ url });
    if (!fetched.changed) throw new Error("changed was expected");
    let text = "";
    for await (const chunk of fetched.chunks) {
      text += Buffer.from(chunk).toString();
      const until = performance.now() + 500;
      while (performance.now() < until);
    }
    expect(text).toBe("ab");
  });

  test("a body shorter than announced, or a broken gzip stream, is Unavailable", async () => {
    const short = await hostile((_, response) => {
      response.writeHead(200, { "content-length": "500" }).write(INDEX, () => response.destroy());
    });
    expect((await failure(readIndexText(charts, { url: short.url }))).message).toContain(
      `after ${INDEX.length} of 500 announced bytes`,
    );
    const cut = await hostile((_, response) =>
      response.setHeader("content-encoding", "gzip").end(gzipSync(INDEX).subarray(0, 20)),
    );
    expect((await failure(readIndexText(charts, { url: cut.url }))).kind).toBe("Unavailable");
  });

  test("an encoding that was not asked for is Invalid", async () => {
    const { url } = await hostile((_, response) => response.setHeader("content-encoding", "br").end("x"));
    expect((await failure(readIndexText(charts, { url }))).message).toContain("encoding br, which was not asked for");
  });

  test("no server, no HTTP and no answer are Unavailable", async () => {
    const chatter = createServer((socket) => socket.end("SSH-2.0-nothing\r\n"));
    await new Promise<void>((resolve) => chatter.listen(0, "127.0.0.1", resolve));
    const address = chatter.address();
    const port = typeof address === "object" ? address?.port : 0;
    expect((await failure(readIndexText(charts, { url: `http://127.0.0.1:${port}` }))).kind).toBe("Unavailable");
    chatter.close();
    const error = await failure(readIndexText(charts, { url: `http://127.0.0.1:${port}` }));
    expect(error.message).toContain("ECONNREFUSED");
    expect((await failure(readIndexText(charts, { url: "http://no-such-host.invalid" }))).kind).toBe("Unavailable");
  });
});

describe("statuses", () => {
  test.each([
    [404, "Invalid", "check the repository's URL"],
    [401, "Invalid", "check the repository's credentials"],
    [403, "Invalid", "check the repository's credentials"],
    [500, "Unavailable", "HTTP 500"],
    [503, "Unavailable", "HTTP 503"],
    [204, "Invalid", "HTTP 204"],
  ])("%i is %s", async (status, kind, message) => {
    const { url } = await hostile((_, response) => response.writeHead(status).end());
    const error = await failure(readIndexText(charts, { url }));
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(message);
  });

  test("429 keeps Retry-After in seconds or as a date", async () => {
    const later = new Date(Date.now() + 120_000).toUTCString();
    const busy = (retryAfter: string) =>
      hostile((_, response) => response.writeHead(429, { "retry-after": retryAfter }).end());
    expect((await failure(readIndexText(charts, { url: (await busy("7")).url }))).retryAfterMs).toBe(7000);
    const wait = (await failure(readIndexText(charts, { url: (await busy(later)).url }))).retryAfterMs ?? 0;
    expect(wait).toBeGreaterThan(100_000);
    expect(wait).toBeLessThanOrEqual(120_000);
  });

  test.each(["ftp://registry.example.org/charts", "file:///etc/passwd", "charts"])(
    "%s is refused, naming what is supported",
    async (url) => {
      const error = await failure(readIndexText(charts, { url }));
      expect(error.kind).toBe("Invalid");
      expect(error.message).toContain("http://, https://, s3://");
    },
  );
});

describe("redirects", () => {
  test("are followed up to five, a loop is Invalid", async () => {
    const five = await hostile((_, response, count) =>
      count <= 5 ? response.writeHead(302, { location: `/step-${count}` }).end() : response.end(INDEX),
    );
    expect(await readIndexText(charts, { url: five.url })).toMatchObject({ changed: true });
    const loop = await hostile((_, response) => response.writeHead(308, { location: "/" }).end());
    const error = await failure(readIndexText(charts, { url: loop.url }));
    expect(error.message).toContain("more than 5 redirects");
    expect(loop.requests).toHaveLength(6);
  });

  test.each([
    "http://169.254.169.254/latest/meta-data",
    "http://0xa9fea9fe/",
    "http://[::ffff:169.254.169.254]/",
    "http://[fd00:ec2::254]/",
    "http://[fe80::1]/",
  ])("to %s are refused before a connection is made", async (location) => {
    const { url } = await hostile((_, response) => response.writeHead(302, { location }).end());
    const error = await failure(readIndexText(small, { url }));
    expect(error.kind).toBe("Invalid");
    expect(error.message).toContain("link-local or metadata address");
  });

  test.each([undefined, "ftp://127.0.0.1/", "http://["])("to %s are Invalid", async (location) => {
    const { url } = await hostile((_, response) => response.writeHead(301, location ? { location } : {}).end());
    expect((await failure(readIndexText(charts, { url }))).kind).toBe("Invalid");
  });
});

describe("credentials", () => {
  const secrets = { username: "ann", password: "pa55-w0rd" };

  test("go along only where both are given", async () => {
    const { url, requests } = await hostile((_, response) => response.end(INDEX));
    await readIndexText(charts, { url, ...secrets });
    await readIndexText(charts, { url, username: "ann" });
    await readIndexText(charts, { url, username: "ann", password: "" });
    await readIndexText(charts, { url: url.replace("//", "//bob:builder@") });
    const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
    const sent = requests.map(({ headers }) => headers.authorization);
    expect(sent).toEqual([basic("ann:pa55-w0rd"), undefined, undefined, basic("bob:builder")]);
  });

  test("stay with the repository's own host, for redirects and packages", async () => {
    const other = await hostile((_, response) => response.end("bytes"));
    const { url, requests } = await hostile((_, response) =>
      response.writeHead(302, { location: `${other.url}/index.yaml` }).end(),
    );
    await readIndexText(charts, { url, ...secrets });
    await charts.fetchPackage({ url, ...secrets }, `${other.url}/chart.tgz`);
    expect(requests[0]?.headers.authorization).toBeDefined();
    expect(other.requests).toHaveLength(2);
    for (const { headers, rawHeaders } of other.requests) {
      expect(headers.authorization).toBeUndefined();
      expect(rawHeaders.join("\n")).not.toContain(Buffer.from("ann:pa55-w0rd").toString("base64"));
    }
  });

  test("never stand in an error", async () => {
    const { url } = await hostile((_, response) => response.writeHead(403).end("pa55-w0rd"));
    const access: RepositoryAccess = { url: `${url.replace("//", "//ann:pa55-w0rd@")}/?token=t0psecret`, ...secrets };
    const errors = [
      await failure(readIndexText(charts, access)),
      await failure(charts.fetchPackage(access, `${url}/c.tgz?token=t0psecret`)),
      await failure(readIndexText(charts, { ...access, url: access.url.replace("http:", "s3:") })),
      await failure(readIndexText(charts, { ...access, url: "http://ann:pa55-w0rd@127.0.0.1:1/" })),
    ];
    for (const error of errors) expect(error.message).not.toMatch(/pa55-w0rd|t0psecret|\bann\b/);
  });
});

describe("TLS", () => {
  let own: { readonly cert: string; readonly private: string };
  let wrong: { readonly cert: string; readonly private: string };

  beforeAll(async () => {
    const certificate = (name: "subjectAltName", ip: string) =>
      generate([{ name: "commonName", value: "charts" }], { extensions: [{ name, altNames: [{ type: 7, ip }] }] });
    own = await certificate("subjectAltName", "127.0.0.1");
    wrong = await certificate("subjectAltName", "192.0.2.1");
  });

  test("is verified: by the given CA, by name, and not at all where asked for", async () => {
    const good = await hostile((_, response) => response.end(LONG), { key: own.private, cert: own.cert });
    expect(await readIndexText(charts, { url: good.url, ca: own.cert })).toMatchObject({ text: LONG });
    const unknown = await failure(readIndexText(charts, { url: good.url }));
    expect(unknown.kind).toBe("Invalid");
    expect(unknown.message).toContain("give the repository's CA");
    const bad = await hostile((_, response) => response.end(INDEX), { key: wrong.private, cert: wrong.cert });
    const misnamed = await failure(readIndexText(charts, { url: bad.url, ca: wrong.cert }));
    expect(misnamed.message).toContain("ERR_TLS_CERT_ALTNAME_INVALID");
    const careless = { url: bad.url, insecureSkipTLSVerify: true };
    expect(await readIndexText(charts, careless)).toMatchObject({ changed: true });
  });

  test("client certificates are shown to the repository's own host only", async () => {
    const shown: string[] = [];
    const tls = { key: own.private, cert: own.cert, ca: own.cert, requestCert: true };
    const subjectOf = (request: { socket: object }) => {
      const { subject } = (request.socket as import("node:tls").TLSSocket).getPeerCertificate();
      return subject?.CN ? String(subject.CN) : "nobody";
    };
    const other = await hostile((request, response) => {
      shown.push(`other: ${subjectOf(request)}`);
      response.end(INDEX);
    }, tls);
    const repository = await hostile((request, response) => {
      shown.push(`own: ${subjectOf(request)}`);
      response.writeHead(307, { location: other.url }).end();
    }, tls);
    await readIndexText(charts, { url: repository.url, ca: own.cert, cert: own.cert, key: own.private });
    expect(shown).toEqual(["own: charts", "other: nobody"]);
  });

  test("is not given up by a redirect", async () => {
    const plain = await hostile((_, response) => response.end(INDEX));
    const { url } = await hostile((_, response) => response.writeHead(302, { location: plain.url }).end(), {
      key: own.private,
      cert: own.cert,
    });
    const error = await failure(readIndexText(charts, { url, ca: own.cert }));
    expect(error.message).toContain("redirects from https:// to http://, which is refused");
    expect(plain.requests).toEqual([]);
  });

  test("an unreadable CA or client key is Invalid and not shown", async () => {
    const { url } = await hostile((_, response) => response.end(INDEX), { key: own.private, cert: own.cert });
    const access = { url, ca: own.cert, cert: own.cert, key: "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n" };
    const error = await failure(readIndexText(charts, access));
    expect(error.kind).toBe("Invalid");
    expect(error.message).not.toContain("c2VjcmV0");
  });
});

describe("packages", () => {
  test("come as they are, also where the server calls them gzip-encoded", async () => {
    const bytes = gzipSync("chart");
    const { url, requests } = await hostile((_, response) => {
      response.setHeader("content-encoding", "gzip").end(bytes);
    });
    expect(Buffer.from(await charts.fetchPackage({ url }, `${url}/c.tgz`)).equals(bytes)).toBe(true);
    expect(requests[0]?.headers["accept-encoding"]).toBe("identity");
  });

  test("are bounded", async () => {
    const { url } = await hostile((_, response) => response.end(Buffer.alloc(10_001)));
    expect((await failure(small.fetchPackage({ url }, `${url}/c.tgz`))).kind).toBe("TooLarge");
  });

  test("are read as archives, and refused as values", async () => {
    expect(await charts.readArchive(Buffer.from("no archive"))).toMatchObject({ ok: false });
  });
});
