import { afterAll, beforeAll, expect, test } from "vitest";
import type { Laptop } from "../../../knative/local/laptop.ts";
import { runCommand } from "../../../knative/local/tools/run-command.ts";
import { appId, versionId } from "../../../shared/charts/ids.ts";
import { Secret } from "../../../shared/resources/core.ts";
import { HelmApplication } from "../../../shared/resources/helm-application.ts";
import { HelmRepo } from "../../../shared/resources/helm-repo.ts";
import { pack } from "../../support/archives.ts";
import { binary } from "../../support/binaries.ts";
import { type DemoCharts, startDemoCharts } from "../../support/charts.ts";
import { startTestLaptop } from "../../support/laptop.ts";
import { until } from "../../support/until.ts";

let charts: DemoCharts;
let laptop: Laptop;
let token: string;

beforeAll(async () => {
  charts = await startDemoCharts();
  laptop = await startTestLaptop();
  const kubectl = (...args: readonly string[]) =>
    runCommand(binary("kubectl"), ["--kubeconfig", laptop.kubeconfigPath, ...args]);
  await kubectl("create", "serviceaccount", "ada", "-n", "default");
  const role = ["--clusterrole=openpitrix:store-admin", "--serviceaccount=default:ada"];
  await kubectl("create", "clusterrolebinding", "ada", ...role);
  token = (await kubectl("create", "token", "ada", "-n", "default")).trim();
});
afterAll(async () => {
  await laptop?.close();
  await charts?.[Symbol.asyncDispose]();
});

async function call(route: string, body?: object | FormData) {
  const [method = "", path = ""] = route.split(" ");
  const sent = body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) };
  const url = `${laptop.httpUrls["rest-gateway"]}/kapis/openpitrix.io/v1${path}`;
  const answer = await fetch(url, { method, headers: { authorization: `Bearer ${token}` }, ...sent });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return {
    status: answer.status,
    headers: answer.headers,
    bytes,
    text: bytes.toString(),
    json: () => JSON.parse(bytes.toString()),
  };
}

const PNG = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(100, 7)]);
const APP = appId({ workspace: "demo" }, "web");
const VERSION = versionId(APP, "1.0.0");
const path = `/workspaces/demo/apps/${APP}/versions/${VERSION}`;

async function publish(): Promise<void> {
  const chart = pack({ path: "web/Chart.yaml", body: "apiVersion: v2\nname: web\nversion: 1.0.0\n" });
  await call("POST /workspaces/demo/apps", { version_package: chart.toString("base64") });
  for (const action of ["submit", "pass", "release"]) {
    expect((await call(`POST ${path}/action`, { action })).status, action).toBe(200);
  }
}

const totals = async () => {
  const { items } = (await call("GET /categories?limit=-1")).json();
  return Object.fromEntries(items.map((each: { name: string; app_total: number }) => [each.name, each.app_total]));
};
const untilTotals = (expected: object) =>
  until("the counts are right", async () => JSON.stringify(await totals()) === JSON.stringify(expected), {
    found: totals,
  });

test("a category is counted through release, move, suspend, recover and delete", async () => {
  const made = await call("POST /categories", { name: "Databases", description: "database", locale: "ignored" });
  expect(made.text).toMatch(/^\{"category_id":"ctg-[0-9a-z]{14}"\}$/);
  const { category_id: category } = made.json();
  const again = await call("POST /categories", { name: "Databases" });
  expect([again.status, again.text]).toEqual([500, "category Databases exists\n"]);
  await publish();
  await untilTotals({ uncategorized: 1, Databases: 0 });
  const moved = await call(`PATCH /apps/${APP}-store`, { category_id: category });
  expect([moved.status, moved.text]).toEqual([200, '{"message":"success"}']);
  await untilTotals({ uncategorized: 0, Databases: 1 });
  const owned = await call(`DELETE /categories/${category}`);
  expect([owned.status, owned.text]).toEqual([500, "category Databases owns application\n"]);
  expect((await call(`PATCH /categories/${category}`, { name: "Stores" })).status).toBe(200);
  await call(`POST ${path}/action`, { action: "suspend" });
  await untilTotals({ uncategorized: 0, Stores: 0 });
  await call(`POST ${path}/action`, { action: "recover" });
  await untilTotals({ uncategorized: 0, Stores: 1 });
  await call(`POST ${path}/action`, { action: "suspend" });
  expect((await call(`DELETE ${path}`)).status).toBe(200);
  const gone = await until("the application can be deleted", async () => {
    const answer = await call(`DELETE /workspaces/demo/apps/${APP}`);
    return answer.status === 200 && answer;
  });
  expect(gone.text).toBe('{"message":"success"}');
  await untilTotals({ uncategorized: 0, Stores: 0 });
  expect((await call(`DELETE /categories/${category}`)).status).toBe(200);
  expect((await call(`DELETE /categories/${category}`)).status).toBe(200);
  expect(await totals()).toEqual({ uncategorized: 0 });
});

test("an application is made with its icon: a picture, or an address", async () => {
  for (const [name, icon, shown] of [
    ["drawn", PNG.toString("base64"), /^att-/],
    ["linked", "https://icons.example.org/a.png", /^https:/],
  ] as const) {
    const chart = pack({ path: `${name}/Chart.yaml`, body: `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n` });
    const made = await call("POST /workspaces/demo/apps", { version_package: chart.toString("base64"), icon });
    expect(made.status, made.text).toBe(200);
    const app = await call(`GET /workspaces/demo/apps/${made.json().app_id}`);
    expect(app.json().icon).toMatch(shown);
  }
});

test("an application is edited: texts, icon, screenshots up to six, each copy by itself", async () => {
  await publish();
  const app = `/workspaces/demo/apps/${APP}`;
  expect((await call(`PATCH ${app}`, { abstraction: "short", home: "https://example.org" })).status).toBe(200);
  const content = PNG.toString("base64");
  expect((await call(`PATCH ${app}`, { type: "icon", attachment_content: content })).status).toBe(200);
  for (let count = 0; count < 6; count++) {
    const screenshot = Buffer.concat([PNG, Buffer.from([count])]).toString("base64");
    const answer = await call(`PATCH ${app}`, { type: "screenshot", attachment_content: screenshot });
    expect([answer.status, answer.text]).toEqual([200, '{"message":"success"}']);
  }
  const seventh = await call(`PATCH ${app}`, { type: "screenshot", attachment_content: content });
  expect([seventh.status, seventh.text]).toEqual([400, expect.stringContaining("take one away first")]);
  expect((await call(`PATCH ${app}`, { type: "screenshot", sequence: 0 })).status).toBe(200);
  const shown = (await call(`GET ${app}`)).json();
  expect(shown).toMatchObject({ abstraction: "short", icon: expect.stringMatching(/^att-/) });
  expect(shown.screenshots.split(",")).toHaveLength(5);
  expect((await call(`GET /apps/${APP}-store`)).json()).toMatchObject({ abstraction: "" });
  const svg = Buffer.from("<svg onload='alert(1)'/>").toString("base64");
  const refused = await call(`PATCH ${app}`, { type: "icon", attachment_content: svg });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("SVG is not taken")]);
  const used = await call(`DELETE /attachments/${shown.icon}`);
  expect([used.status, used.text]).toEqual([409, expect.stringContaining("is shown by application")]);
});

test("a picture is kept, given as JSON and raw with headers that let nothing run, and deleted", async () => {
  const form = new FormData();
  const picture = Buffer.concat([PNG, Buffer.from("of its own")]);
  form.set("file", new Blob([picture]), "a.png");
  const made = await call("POST /attachments", form);
  expect(made.text).toMatch(/^\{"attachment_id":"att-[0-9a-z]{14}"\}$/);
  const { attachment_id: id } = made.json();
  expect((await call(`GET /attachments/${id}`)).json()).toEqual({
    attachment_id: id,
    attachment_content: { raw: picture.toString("base64") },
  });
  const raw = await call(`GET /attachments/${id}?filename=raw`);
  expect(raw.bytes.equals(picture)).toBe(true);
  expect([raw.headers.get("content-type"), raw.headers.get("x-content-type-options")]).toEqual([
    "image/png",
    "nosniff",
  ]);
  expect(raw.headers.get("content-security-policy")).toContain("sandbox");
  const gone = await call(`DELETE /attachments/${id},att-unknown`);
  expect([gone.status, gone.text]).toEqual([200, ""]);
  await until("it is gone", async () => (await call(`GET /attachments/${id}`)).status === 404);
});

test("a repository is tried, added with its credentials in a Secret, edited and deleted", async () => {
  const repos = "/workspaces/demo/repos";
  const nowhere = `${laptop.httpUrls["rest-gateway"]}/nowhere`;
  const wish = { name: "charts", url: charts.repositoryUrl.replace("://", "://bob:geheim@"), sync_period: "1h" };
  expect((await call(`POST ${repos}?validate=true`, wish)).text).toBe('{"ok":true}');
  for (const [body, status, text] of [
    [{ ...wish, url: "" }, 400, "Get &#34;/index.yaml&#34;: unsupported protocol scheme &#34;&#34;\n"],
    [{ ...wish, name: "" }, 400, "repo name is empty\n"],
    [{ ...wish, sync_period: "often" }, 400, "time: invalid duration &#34;often&#34;\n"],
    [{ ...wish, url: nowhere }, 400, `failed to fetch ${nowhere}/index.yaml : 404 Not Found\n`],
  ] as const) {
    const answer = await call(`POST ${repos}`, body);
    expect([answer.status, answer.text]).toEqual([status, text]);
  }
  const made = await call(`POST ${repos}`, wish);
  expect(made.text).toMatch(/^\{"repo_id":"repo-[0-9a-z]{14}"\}$/);
  const { repo_id: id } = made.json();
  expect((await call(`POST ${repos}`, wish)).text).toBe("repo exists\n");
  const secret = { name: `${id}-credentials`, namespace: "openpitrix" };
  const kept = await laptop.kube.get(Secret, secret);
  expect(Buffer.from(kept?.data?.["password"] ?? "", "base64").toString()).toBe("geheim");
  expect(kept?.metadata.ownerReferences).toMatchObject([{ kind: "HelmRepo", name: id }]);
  const events = JSON.stringify(laptop.published());
  expect(events).not.toContain("geheim");
  expect(events).not.toContain(Buffer.from("geheim").toString("base64"));
  await until("its first sync ends", async () => (await laptop.kube.get(HelmRepo, id))?.status?.state === "successful");
  expect((await call(`GET ${repos}/${id}`)).json()).toMatchObject({ url: charts.repositoryUrl, sync_period: "1h" });
  expect((await call(`PATCH ${repos}/${id}`, { description: "ours", sync_period: "" })).status).toBe(200);
  expect((await call(`GET ${repos}/${id}`)).json()).toMatchObject({ description: "ours", sync_period: "" });
  expect((await call(`PATCH ${repos}/repo-unknown`, {})).status).toBe(404);
  expect((await call(`DELETE ${repos}/${id}`)).status).toBe(200);
  expect((await call(`DELETE ${repos}/${id}`)).status).toBe(200);
  await until("what it owns is gone", async () => {
    const labels = { "application.kubesphere.io/repo-id": id };
    const apps = await laptop.kube.list(HelmApplication, { labels });
    return apps.length === 0 && (await laptop.kube.get(Secret, secret)) === undefined;
  });
});
