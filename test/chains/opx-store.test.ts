import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { STORE_SETTINGS } from "../../shared/lifecycle/store-settings.ts";
import { ConfigMap } from "../../shared/resources/core.ts";
import { pack } from "../support/archives.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { opx, opxProcess, type Printed } from "../support/opx.ts";
import { signUp } from "../support/people.ts";
import { until } from "../support/until.ts";

let laptop: Laptop;
let folder: string;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  laptop = await startTestLaptop();
  folder = await mkdtemp(join(tmpdir(), "opx-"));
  tokens["ada"] = await signUp(laptop, "ada", { role: "store-admin" });
  tokens["vera"] = await signUp(laptop, "vera", { role: "viewer" });
});
afterAll(async () => {
  await laptop?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const server = () => laptop.httpUrls["rest-gateway"] ?? "";
const envOf = (person: string) => ({ OPX_SERVER: server(), OPX_SERVER_TOKEN: tokens[person] ?? "" });

/** A command line of the program itself. */
const run = (line: string, person = "ada"): Promise<Printed> => opxProcess(line.split(" "), envOf(person));

/** The same in this process, where that is all a test is about. */
const told = (line: string, person = "ada") => opx(line.split(" "), { env: envOf(person) });

async function json(line: string) {
  const { code, out, err } = await told(`${line} --json`);
  expect(code, err).toBe(0);
  return JSON.parse(out);
}

const README = "# web\n\nServes pages.\n";

/** Writes a package and gives its path. */
async function chart(name: string, version: string, more = ""): Promise<string> {
  const path = join(folder, `${name}-${version}.tgz`);
  const body = `apiVersion: v2\nname: ${name}\nversion: ${version}\nappVersion: "7"\ndescription: serves pages\n${more}`;
  await writeFile(path, pack({ path: `${name}/Chart.yaml`, body }, { path: `${name}/README.md`, body: README }));
  return path;
}

let app = "";
let version = "";

test("a package is checked, pushed, and found again as a draft", async () => {
  const file = await chart("web", "1.0.0");
  const checked = await run(`package validate ${file} --workspace demo`);
  expect(checked).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringMatching(/^chart +web\nversion +1\.0\.0 \[7\]$/m),
  });
  const pushed = await run(`package push ${file} --workspace demo`);
  expect(pushed).toMatchObject({ code: 0, err: "" });
  [, version = "", app = ""] = /draft (appv-\w+) of application (app-\w+); opx version submit/.exec(pushed.out) ?? [];
  expect(app).not.toBe("");
  expect(await json(`app get ${app}`)).toMatchObject({ name: "web", isv: "demo", status: "draft" });
  expect((await told(`app list --workspace demo`)).out).toMatch(/^app-\w+ +web +draft +1\.0\.0 \[7\] +demo$/m);
  expect(await json(`version list ${app}`)).toMatchObject({ total_count: 1, items: [{ version_id: version }] });
});

test("a package that is none is told so, by validate and by push", async () => {
  const bad = join(folder, "bad.tgz");
  await writeFile(bad, "no archive");
  const checked = await told(`package validate ${bad} --workspace demo`);
  expect(checked).toMatchObject({ code: 1, out: expect.stringContaining(bad) });
  const pushed = await told(`package push ${bad} --workspace demo`);
  expect(pushed).toMatchObject({ code: 1, out: "", err: expect.stringMatching(/^opx: .+; opx package validate FILE/) });
  expect(await told(`package push ${folder}/nothing.tgz --workspace demo`)).toMatchObject({ code: 2 });
  expect((await told(`package push ${bad}`)).err).toBe(
    "opx: for which workspace? Give --workspace NAME; opx package push --app APP adds a version instead\n",
  );
});

test("another version joins the application; the same number with other bytes does not", async () => {
  const added = await json(`package push ${await chart("web", "1.1.0")} --app ${app}`);
  expect(added).toMatchObject({ app_id: app, version_id: expect.stringMatching(/^appv-/) });
  const other = await chart("web", "1.1.0", "home: https://other.example\n");
  const refused = await told(`package push ${other} --workspace demo --app ${app}`);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("exists already") });
  const listed = await told(`version list ${app} --limit 1`);
  expect(listed.out).toMatch(/1\.1\.0 \[7\] +draft[\s\S]*1 to 1 of 2; --page 2 shows more\n$/);
  expect((await json(`version list ${app} --limit 1 --page 2`)).items).toMatchObject([{ name: "1.0.0 [7]" }]);
  const gone = await told(`version delete ${added.version_id}`);
  expect(gone).toMatchObject({ code: 0, out: `${added.version_id}: deleted\n` });
});

test("files of a version are listed and printed, and a draft gets another package", async () => {
  const listed = await run(`version files ${version}`);
  expect(listed).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^SIZE +PATH\n\d+ B +Chart\.yaml\n21 B +README\.md\n$/),
  });
  expect((await told(`version files ${version} --path README.md`)).out).toBe(README);
  expect(await told(`version files ${version} --path none`)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/holds no file none; opx version files appv-\w+ shows which there are\n$/),
  });
  const other = await chart("web", "1.0.0", "home: https://other.example\n");
  expect(await told(`version edit ${version} --package ${other} --description better`)).toMatchObject({
    code: 0,
    err: "",
  });
  const edited = await json(`version get ${version}`);
  expect(edited).toMatchObject({ version_id: version, description: "better", home: "https://other.example" });
  expect(await told(`version edit ${version}`)).toMatchObject({
    code: 2,
    err: expect.stringContaining("nothing to change"),
  });
});

test("a version goes through its life, each act done when the command ends", async () => {
  const acts = [
    ["version submit", "submitted"],
    ["version cancel", "draft"],
    ["version submit", "submitted"],
    ["review start", "submitted"],
    ["review reject", "rejected"],
    ["version submit", "submitted"],
    ["review pass", "passed"],
    ["version release", "active"],
    ["version suspend", "suspended"],
    ["version recover", "active"],
    ["app suspend", "suspended"],
    ["app recover", "active"],
  ] as const;
  for (const [act, state] of acts) {
    const subject = act.startsWith("app ") ? app : version;
    const { code, err } = await told(`${act} ${subject} --message because`);
    expect([act, code, err]).toEqual([act, 0, ""]);
    expect((await json(`version get ${version}`)).status, act).toBe(state);
    if (act === "version submit")
      expect((await told("review list")).out).toMatch(
        new RegExp(`^${version} +web +1\\.0\\.0 \\[7\\] +demo +submitted`, "m"),
      );
  }
  expect((await told("review list")).out).toBe("nothing waits for a review\n");
  expect((await told("app list")).out).toContain(`${app}-store`);
  const found = async () => (await json("search WEB")).items;
  await until("the store offers it again", async () => (await found())[0]?.status === "active");
  expect(await found()).toMatchObject([{ app_id: `${app}-store`, name: "web" }]);
  expect((await told("search nothing-like-it")).out).toBe("no applications\n");
  expect(await json("search web --maintainer nobody")).toMatchObject({ total_count: 0 });
  expect((await told("statistics")).out).toMatch(/^applications +\d+ \(.*active \d+.*\)\nversions +\d+ \(/);
  expect(await json("statistics")).toMatchObject({ repo_count: 0, versions_by_state: { active: 1 } });
});

test("the audit trail tells who did what and why, page by page", async () => {
  const { items, total_count } = await json(`version audits ${version}`);
  const states = items.map((each: { status: string }) => each.status);
  expect(states.slice(0, 5)).toEqual(["active", "suspended", "active", "suspended", "active"]);
  expect(items[1]).toMatchObject({ operator: "system:serviceaccount:default:ada", message: "because" });
  expect((await json(`app audits ${app}`)).total_count).toBeGreaterThanOrEqual(total_count);
  const page = await told(`version audits ${version} --limit 2 --page 2`);
  expect(page.out).toMatch(
    new RegExp(`^TIME +VERSION +BECAME +BY +MESSAGE\n.*active.*\n.*suspended.*\n\n3 to 4 of ${total_count};`),
  );
  expect((await told(`version audits ${version} --page 9`)).out).toContain("page 9 is beyond the end");
});

test("what became of an act is told by the id of its event, to whoever acted", async () => {
  const nats = `--nats ${laptop.natsUrl}`;
  const sent = await json(`events --type version.released --subject ${version} ${nats}`);
  const { id } = sent.at(-1);
  expect(await json(`outcome ${id}`)).toMatchObject({
    type: "io.openpitrix.version.state.changed",
    data: { version, from: "passed", to: "active" },
  });
  expect((await told(`outcome ${id}`)).out).toMatch(/^version\.state\.changed .* from=passed /);
  expect(await told(`outcome ${id}`, "vera")).toMatchObject({
    code: 1,
    err: expect.stringContaining("nothing has followed"),
  });
});

test("the package comes back byte for byte, and writes over nothing", async () => {
  const output = join(folder, "again.tgz");
  const got = await run(`package download ${version} --output ${output}`);
  expect(got).toMatchObject({ code: 0, err: "" });
  expect(await readFile(output)).toEqual(await readFile(join(folder, "web-1.0.0.tgz")));
  expect(await told(`package download ${version} --output ${output}`)).toMatchObject({
    code: 1,
    err: `opx: ${output} exists; give --output FILE or --force\n`,
  });
  expect((await told(`package download ${version} --output ${output} --force`)).code).toBe(0);
});

test("what the store refuses is told in its words, with what to do next", async () => {
  const expected: readonly (readonly [line: string, person: string, words: RegExp])[] = [
    [`version release ${version}`, "ada", /^opx: app_version_incorrect_status: .*; see opx version get appv-\w+\n$/],
    [`version suspend ${version}`, "vera", /^opx: .*vera may not suspend .*; ask for a role/],
    [`version submit ${version}`, "nobody", /^opx: .*; kubectl create token NAME > FILE makes a token/],
    [
      `app delete ${app}`,
      "ada",
      new RegExp(`^opx: app ${app} has some versions not deleted; see opx version list ${app}`),
    ],
    ["app get app-nothing", "ada", /^opx: .*"app-nothing" not found; see opx app list\n$/],
    ["version get ../../apps", "ada", /^opx: .*cannot be the name of an object; see opx version list APP\n$/],
  ];
  tokens["nobody"] = "no.such.token";
  for (const [line, person, words] of expected) {
    const { code, out, err } = await told(line, person);
    expect([line, code, out]).toEqual([line, 1, ""]);
    expect(err).toMatch(words);
  }
});

test("a vendor whose rights end at a workspace works there without naming it", async () => {
  tokens["vic"] = await signUp(laptop, "vic", { role: "vendor", workspace: "shop" });
  const pushed = await told(`package push ${await chart("till", "1.0.0")} --workspace shop --json`, "vic");
  const { app_id, version_id } = JSON.parse(pushed.out);
  const next = await told(`package push ${await chart("till", "1.1.0")} --app ${app_id}`, "vic");
  expect(next).toMatchObject({ code: 0, err: "" });
  expect(await told(`version submit ${version_id}`, "vic")).toMatchObject({ code: 0, err: "" });
  expect((await told(`version list ${app_id} --state submitted`, "vic")).out).toContain(version_id);
  expect(await told(`review pass ${version_id}`, "vic")).toMatchObject({
    code: 1,
    err: expect.stringMatching(/vic may not review .* in shop/),
  });
  const elsewhere = await told(`package push ${await chart("till", "1.2.0")} --workspace demo`, "vic");
  expect(elsewhere).toMatchObject({ code: 1, err: expect.stringMatching(/vic may not create .* in demo/) });
});

test("in a store that reviews in steps each step passes on its own, and the queue tells how far it is", async () => {
  const data = { reviewSteps: "isv,business" };
  const settings = { apiVersion: "v1", kind: "ConfigMap", metadata: STORE_SETTINGS, data };
  await laptop.kube.apply(ConfigMap, settings, "test");
  const made = await json(`app create ${await chart("steps", "1.0.0")} --workspace demo`);
  const id = made.version_id;
  expect(await told(`version submit ${id}`)).toMatchObject({ code: 0, err: "" });
  expect(await told(`review pass ${id} --step business`)).toMatchObject({ code: 1 });
  expect((await told(`review pass ${id} --step isv`)).out).toBe(`${id}: passed (isv)\n`);
  expect((await told("review list")).out).toMatch(/ isv passed by system:serviceaccount:default:ada/);
  expect(await told(`review pass ${id} --step business`)).toMatchObject({ code: 0, err: "" });
  expect((await json(`version get ${id}`)).status).toBe("passed");
  await laptop.kube.remove(ConfigMap, settings);
});

test("categories are made, filled, counted, renamed and, once empty, deleted", async () => {
  const made = await run("category create Web --description pages");
  expect(made).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/^ctg-\w+: made for Web\n$/) });
  const [id = ""] = made.out.split(":");
  expect(await told(`app edit ${app}-store --category ${id}`)).toMatchObject({ code: 0, err: "" });
  await until("the application is counted", async () =>
    (await told("category list")).out.includes(`${id}  Web            1`),
  );
  expect((await json(`app list --category ${id}`)).items).toMatchObject([{ app_id: `${app}-store` }]);
  expect(await told(`category delete ${id}`)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/owns application; opx app list --category ctg-\w+ shows its applications\n$/),
  });
  expect(await told(`category create Web`)).toMatchObject({
    code: 1,
    err: expect.stringContaining("category Web exists"),
  });
  expect(await told(`category edit ${id} --name Sites`)).toMatchObject({ code: 0, out: `${id}: changed\n` });
  expect(await told(`category edit ${id}`)).toMatchObject({ code: 2 });
  expect((await told(`app get ${app}-store`)).out).toMatch(/^category +Sites$/m);
  expect(await told(`app edit ${app}-store --category none`)).toMatchObject({ code: 0, err: "" });
  await until("nothing is in it", async () => (await told(`category delete ${id}`)).code === 0);
  expect((await json("category list")).items).not.toContainEqual(expect.objectContaining({ category_id: id }));
});

test("an application is shown in other words, with an icon and screenshots", async () => {
  const picture = join(folder, "dot.png");
  await writeFile(picture, Buffer.from("89504e470d0a1a0a", "hex"));
  const args = ["app", "edit", app, "--abstraction", "a web", "--icon", picture, "--screenshot", picture];
  expect(await opx(args, { env: envOf("ada") })).toMatchObject({ code: 0, err: "" });
  const shown = await json(`app get ${app}`);
  expect(shown).toMatchObject({
    abstraction: "a web",
    icon: expect.stringMatching(/^att-/),
    screenshots: expect.stringMatching(/^att-/),
  });
  expect(await told(`app edit ${app} --remove-screenshot 0`)).toMatchObject({ code: 0, err: "" });
  expect((await json(`app get ${app}`)).screenshots).toBe("");
  expect(await told(`app edit ${app} --remove-screenshot 9`)).toMatchObject({ code: 2 });
  const text = await told(`app edit ${app} --icon ${await chart("web", "9.0.0")}`);
  expect(text).toMatchObject({ code: 1, out: "" });
});

test("a line that cannot be followed changes nothing and is explained", async () => {
  const lines: readonly (readonly [line: string, words: string])[] = [
    ["app list --limit 0", "--limit 0 is no number from 1 on"],
    ["app list --workspace a --repo b", "two different lists"],
    ["app list --keyword a,b", "leave out the comma"],
    [`app edit ${app}`, "nothing to change"],
    ["review pass appv-1 --step third", "--step third is no step of a review; choose one of review, isv"],
    ["app list --server ftp://x", "ftp://x is no address of the store"],
    ["app list --server http://store.example.com", "a token is not sent without TLS"],
    ["app list --token-file /nonexistent/token", "--token-file /nonexistent/token: ENOENT"],
  ];
  for (const [line, words] of lines) {
    const { code, err } = await told(line);
    expect([line, code]).toEqual([line, 2]);
    expect(err).toContain(words);
  }
  const nowhere = await opx(["app", "list"], { env: { KUBECONFIG: laptop.kubeconfigPath } });
  expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining("Give --server URL or set OPX_SERVER;") });
  const silent = await told("app list --server http://127.0.0.1:9");
  expect(silent).toMatchObject({
    code: 1,
    err: expect.stringMatching(/127\.0\.0\.1:9 does not answer .*check --server/),
  });
  const other = await told(`app list --server ${laptop.httpUrls["metrics"]}`);
  expect(other.code).toBe(1);
});

test("the token comes from a file, or else from the kubeconfig; the upload is seen on a terminal", async () => {
  const file = join(folder, "token");
  await writeFile(file, `${tokens["vera"]}\n`);
  const refused = await told(`version suspend ${version} --token-file ${file}`);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("vera may not suspend") });
  const env = { KUBECONFIG: laptop.kubeconfigPath, OPX_SERVER: `${server()}/` };
  const args = ["package", "push", await chart("shop", "1.0.0"), "--workspace", "demo"];
  const pushed = await opx(args, { env, terminal: true });
  expect(pushed.code, pushed.err).toBe(0);
  expect(pushed.err).toContain("[####################] waiting for the store");
  expect(pushed.err.endsWith("\r\u001b[2K")).toBe(true);
});
