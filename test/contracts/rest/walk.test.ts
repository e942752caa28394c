import { afterAll, beforeAll, expect, test } from "vitest";
import type { Laptop } from "../../../knative/local/laptop.ts";
import { runCommand } from "../../../knative/local/tools/run-command.ts";
import { pack } from "../../support/archives.ts";
import { binary } from "../../support/binaries.ts";
import { startTestLaptop } from "../../support/laptop.ts";

let laptop: Laptop;
let token: string;
let base: string;

beforeAll(async () => {
  laptop = await startTestLaptop();
  base = `${laptop.httpUrls["rest-gateway"]}/kapis/openpitrix.io/v1`;
  const kubectl = (...args: readonly string[]) =>
    runCommand(binary("kubectl"), ["--kubeconfig", laptop.kubeconfigPath, ...args]);
  await kubectl("create", "serviceaccount", "ada", "-n", "default");
  await kubectl(
    "create",
    "clusterrolebinding",
    "ada",
    "--clusterrole=openpitrix:store-admin",
    "--serviceaccount=default:ada",
  );
  token = (await kubectl("create", "token", "ada", "-n", "default")).trim();
});
afterAll(() => laptop?.close());

async function call(method: string, path: string, body?: object) {
  return callWith({}, `${method} ${path}`, body);
}

async function callWith(headers: Readonly<Record<string, string>>, route: string, body?: object) {
  const [method = "", path = ""] = route.split(" ");
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const all = { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers };
  const answer = await fetch(base + path, { method, headers: all, ...sent });
  const text = await answer.text();
  return { status: answer.status, text, json: () => JSON.parse(text) };
}

/** A package of that name, in base64. */
const chart = (name: string, version: string) =>
  pack({
    path: `${name}/Chart.yaml`,
    body: `apiVersion: v2\nname: ${name}\nversion: ${version}\nappVersion: "7"\n`,
  }).toString("base64");

let app = "";
let version = "";

test("a package is checked, and taken in as an application with a draft", async () => {
  const checked = await call("POST", "/workspaces/demo/apps?validate=true", { version_package: chart("web", "1.0.0") });
  expect(checked.json()).toMatchObject({ name: "web", version_name: "1.0.0 [7]" });
  const bad = await call("POST", "/workspaces/demo/apps?validate=true", { version_package: "AAAA" });
  expect([bad.status, typeof bad.json().error]).toEqual([200, "string"]);
  const made = await call("POST", "/workspaces/demo/apps", {
    version_package: chart("web", "1.0.0"),
    version_type: "helm",
  });
  expect([made.status, made.text]).toEqual([200, expect.stringContaining("app_id")]);
  ({ app_id: app, version_id: version } = made.json());
  expect(app).toMatch(/^app-/);
  expect((await call("GET", `/workspaces/demo/apps/${app}`)).json()).toMatchObject({
    app_id: app,
    name: "web",
    isv: "demo",
    status: "draft",
    owner: "system:serviceaccount:default:ada",
    latest_app_version: { name: "1.0.0 [7]", package_name: "web-1.0.0.tgz" },
  });
});

test("another version joins it; the same one again with other bytes does not", async () => {
  const added = await call("POST", `/workspaces/demo/apps/${app}/versions`, { package: chart("web", "1.1.0") });
  expect(added.json()).toEqual({ version_id: expect.stringMatching(/^appv-/) });
  const other = pack({ path: "web/Chart.yaml", body: "apiVersion: v2\nname: web\nversion: 1.1.0\ndescription: x\n" });
  const refused = await call("POST", `/workspaces/demo/apps/${app}/versions`, { package: other.toString("base64") });
  expect([refused.status, refused.text]).toEqual([500, expect.stringContaining("exists already")]);
  const listed = await call("GET", `/workspaces/demo/apps/${app}/versions/?reverse=true&limit=1`);
  expect(listed.json()).toMatchObject({ total_count: 2, items: [{ name: "1.1.0 [7]" }] });
});

test.each([
  ["release", 400, "draft"],
  ["submit", 200, "submitted"],
  ["pass", 200, "passed"],
  ["release", 200, "active"],
  ["release", 400, "active"],
  ["suspend", 200, "suspended"],
  ["recover", 200, "active"],
])("%s answers %i, and the version is %s when it does", async (action, status, state) => {
  const path = `/workspaces/demo/apps/${app}/versions/${version}`;
  const answer = await call("POST", `${path}/action/`, { action, message: `please ${action}` });
  expect(answer.status, answer.text).toBe(status);
  expect(answer.text).toContain(status === 200 ? '{"message":"success"}' : "app_version_incorrect_status");
  expect((await call("GET", path)).json()).toMatchObject({ status: state });
});

test("the audit trail has every act with its person and words, newest first", async () => {
  const { items, total_count } = (await call("GET", `/apps/${app}/versions/${version}/audits`)).json();
  expect(total_count).toBe(6);
  expect(items.map((each: { status: string }) => each.status)).toEqual([
    "active",
    "suspended",
    "active",
    "passed",
    "submitted",
    "draft",
  ]);
  expect(items[0]).toMatchObject({
    operator: "system:serviceaccount:default:ada",
    message: "please recover",
    app_name: "web",
  });
});

test("what is active cannot be deleted, and an application goes after its versions", async () => {
  const refused = await call("DELETE", `/workspaces/demo/apps/${app}/versions/${version}`);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("delete needs")]);
  const early = await call("DELETE", `/workspaces/demo/apps/${app}`);
  expect([early.status, early.text]).toEqual([500, `app ${app} has some versions not deleted\n`]);
  await call("POST", `/workspaces/demo/apps/${app}/action`, { action: "suspend" });
  const { items } = (await call("GET", `/workspaces/demo/apps/${app}/versions`)).json();
  for (const { version_id } of items) {
    expect((await call("DELETE", `/workspaces/demo/apps/${app}/versions/${version_id}`)).status).toBe(200);
    expect((await call("DELETE", `/workspaces/demo/apps/${app}/versions/${version_id}`)).status).toBe(200);
  }
  const gone = await call("DELETE", `/workspaces/demo/apps/${app}-store`);
  expect([gone.status, gone.text]).toEqual([200, '{"message":"success"}']);
  expect((await call("GET", `/workspaces/demo/apps/${app}`)).status).toBe(404);
});

test("a request with an idempotency key is one act, however often it is sent", async () => {
  const made = (await call("POST", "/workspaces/demo/apps", { version_package: chart("shop", "1.0.0") })).json();
  const path = `/workspaces/demo/apps/${made.app_id}/versions/${made.version_id}/action`;
  const key = { "idempotency-key": "once" };
  expect((await callWith(key, `POST ${path}`, { action: "submit" })).status).toBe(200);
  expect((await callWith(key, `POST ${path}`, { action: "submit" })).status).toBe(200);
  expect((await call("POST", path, { action: "submit" })).status).toBe(400);
});
