import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Entry, pack } from "../../support/archives.ts";
import { openRestTarget, type RestTarget } from "../../support/rest-target.ts";

let target: RestTarget;
let path: string;
beforeAll(async () => {
  target = await openRestTarget();
  path = `/kapis/openpitrix.io/v1/workspaces/${target.workspace}/apps`;
});
afterAll(() => target?.close());

const name = `f${randomBytes(4).toString("hex")}`;
const logo = randomBytes(20_000);
const chart = (version: string, ...more: readonly Entry[]) =>
  pack({ path: `${name}/Chart.yaml`, body: `apiVersion: v2\nname: ${name}\nversion: ${version}\n` }, ...more);

async function send(method: string, below: string, body: FormData | object) {
  const form = body instanceof FormData;
  const headers = { ...target.headersOf("admin"), ...(form ? {} : { "content-type": "application/json" }) };
  const answer = await fetch(target.url + path + below, { method, headers, body: form ? body : JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, text, json: () => JSON.parse(text) };
}

function form(field: string, bytes: Uint8Array<ArrayBuffer>, texts: Readonly<Record<string, string>> = {}): FormData {
  const made = new FormData();
  for (const [key, value] of Object.entries(texts)) made.append(key, value);
  made.append(field, new Blob([bytes]), "chart.tgz");
  return made;
}

async function filesOf(app: string, version: string, query = ""): Promise<Readonly<Record<string, string>>> {
  const url = `${target.url}/kapis/openpitrix.io/v1/apps/${app}/versions/${version}/files${query}`;
  const answer = await fetch(url, { headers: target.headersOf("admin") });
  return ((await answer.json()) as { files: Record<string, string> }).files;
}

test("a form with a file does what JSON with base64 does: check, create, add, replace", async () => {
  const first = new Uint8Array(chart("1.0.0", { path: `${name}/files/logo.png`, body: logo }));
  const checked = await send("POST", "?validate=true", form("version_package", first));
  expect(checked.json()).toMatchObject({ name, version_name: "1.0.0", findings: [{ path: "templates/" }, {}, {}, {}] });
  const made = await send("POST", "", form("version_package", first, { version_type: "helm" }));
  expect(made.status, made.text).toBe(200);
  const { app_id, version_id } = made.json();
  expect(await filesOf(app_id, version_id, "?files=files/logo.png")).toEqual({
    "files/logo.png": logo.toString("base64"),
  });

  const added = await send("POST", `/${app_id}/versions`, form("package", new Uint8Array(chart("1.1.0"))));
  expect(added.status, added.text).toBe(200);

  const below = `/${app_id}/versions/${version_id}`;
  const texts = { description: "by form" };
  const replaced = await send("PATCH", below, form("package", new Uint8Array(chart("1.0.1")), texts));
  expect([replaced.status, replaced.text]).toEqual([200, '{"message":"success"}']);
  expect(Object.keys(await filesOf(app_id, version_id))).toEqual(["Chart.yaml"]);
  const taken = await send("PATCH", below, form("package", new Uint8Array(chart("1.1.0"))));
  expect([taken.status, taken.text]).toEqual([500, expect.stringMatching(/^application version exists/)]);

  const again = await send("POST", `/${app_id}/versions`, { package: chart("1.0.0").toString("base64") });
  expect(again.status, again.text).toBe(200);
  expect(again.json().version_id).not.toBe(version_id);
});

test("a package that is none is refused with its reason, and a form without a file is told so", async () => {
  const bad = await send("POST", "", form("version_package", new TextEncoder().encode("hello")));
  expect([bad.status, bad.text]).toEqual([400, expect.stringContaining("no gzip file")]);
  const checked = await send(
    "POST",
    "?validate=true",
    form("version_package", new Uint8Array(pack({ path: `${name}/a` }))),
  );
  expect(checked.json()).toEqual({ error: expect.any(String), error_details: { "Chart.yaml": "not found" } });
  const empty = new FormData();
  empty.append("version_type", "helm");
  const missing = await send("POST", "", empty);
  expect([missing.status, missing.text]).toEqual([400, expect.stringContaining("version_package is missing")]);
});
