import { describe, expect, it } from "vitest";
import type { Wish } from "../../shared/access-port.ts";
import { Failure } from "../../shared/errors.ts";
import { begin, type Event } from "../../shared/event.ts";
import { PackageUploaded } from "../../shared/events/package.ts";
import { VersionActionRefused, VersionStateChanged } from "../../shared/events/version.ts";
import type { HttpAnswer, HttpRequest } from "../../shared/http-function.ts";
import type { KubeObject, ResourceDefinition } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { given, happened, NOW } from "../../test/support/objects.ts";
import subject from "./function.ts";

type Ports = Parameters<typeof subject.handle>[1];

const demo = { "kubesphere.io/workspace": "demo" };
const ofApp = { ...demo, "application.kubesphere.io/app-id": "app-1" };
const SECRET = "hunter2";
const app = given(HelmApplication, "app-1", { metadata: { labels: demo }, spec: { name: "web" } });
const draft = given(HelmApplicationVersion, "appv-1", { metadata: { labels: ofApp }, spec: { version: "1.0.0" } });
const repo = given(HelmRepo, "repo-1", {
  metadata: {
    labels: demo,
    annotations: { "kubectl.kubernetes.io/last-applied-configuration": `{"spec":{"credential":"${SECRET}"}}` },
  },
  spec: {
    name: "charts",
    url: `https://user:${SECRET}@charts.example.com`,
    credential: { username: "user", password: SECRET },
    type: "http",
    versionHistoryLimit: 10,
  },
  status: { data: "packed" },
});

interface Made {
  readonly objects?: readonly KubeObject[];
  /** Verbs that rita is granted. */
  readonly grants?: readonly string[];
  /** What follows from an act. */
  readonly outcome?: Event;
  readonly failure?: Error;
}

/** A world in which the token `rita` is rita's. */
function world({ objects = [app, draft, repo], grants = [], outcome, failure }: Made = {}) {
  const asked: Wish[] = [];
  const published: Event[] = [];
  const of = (kind: ResourceDefinition) => objects.filter((each) => each.kind === kind.kind);
  const ports = {
    kube: {
      get: async (kind: ResourceDefinition, name: string) => {
        if (failure) throw failure;
        return of(kind).find(({ metadata }) => metadata.name === name);
      },
      list: async (kind: ResourceDefinition) => of(kind),
    },
    access: {
      authenticate: async (token: string) => (token === "rita" ? { name: "rita", groups: [] } : undefined),
      permits: async (_user: unknown, wish: Wish) => {
        asked.push(wish);
        return grants.includes(wish.verb) ? { allowed: true } : { allowed: false, message: `no <${wish.verb}>` };
      },
    },
    outcomes: {
      after: async (publish: () => Promise<Event>) => ({ event: await publish(), ...(outcome ? { outcome } : {}) }),
      find: async () => outcome,
    },
    clock: { now: () => NOW },
    publish: async (announcement: Parameters<Ports["publish"]>[0], occurrence = {}) => {
      const event = begin("rest-gateway", announcement, { id: "x", now: NOW, ...occurrence });
      published.push(event);
      return event;
    },
  } as unknown as Ports;
  return { asked, published, ports };
}

interface Asked {
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask({ ports }: { ports: Ports }, route: string, { body, headers }: Asked = {}): Promise<HttpAnswer> {
  const [method = "", target = ""] = route.split(" ");
  const [path = "", query] = target.split("?");
  const chunks = body === undefined ? [] : [Buffer.from(body)];
  const request: HttpRequest = {
    method,
    path: `/kapis/openpitrix.io${path}`,
    query: new URLSearchParams(query),
    headers: { authorization: "Bearer rita", ...headers },
    remoteAddress: "127.0.0.1",
    body: ReadableStream.from(chunks),
    bytes: async () => Buffer.concat(chunks),
  };
  return subject.handle(request, ports);
}

const V = "/v1/workspaces/demo/apps/app-1/versions/appv-1";
const submit = { body: '{"action":"submit"}' };

describe("who may do what", () => {
  it("asks for the right in the path's workspace before it looks at anything", async () => {
    const rita = world({ failure: new Error("nothing may be read") });
    expect(await ask(rita, `POST ${V}/action`, submit)).toMatchObject({ status: 403, body: "no &lt;submit&gt;\n" });
    expect(await ask(rita, `DELETE ${V}`)).toMatchObject({ status: 403 });
    expect(rita.asked).toMatchObject([
      { verb: "submit", resource: "apps", subresource: "versions", name: "appv-1", namespace: "demo" },
      { verb: "delete", resource: "apps", subresource: "versions", name: "appv-1", namespace: "demo" },
    ]);
  });

  it("asks in the object's own workspace where the path names none", async () => {
    const rita = world({ grants: ["get"] });
    expect(await ask(rita, "GET /v1/apps/app-1/versions/appv-1")).toMatchObject({ status: 200 });
    expect(rita.asked).toMatchObject([{ verb: "get", namespace: "demo" }]);
    await ask(rita, "GET /v1/apps/app-1/versions/unknown");
    expect(rita.asked[1]).toMatchObject({ verb: "get", namespace: "demo" });
    await ask(rita, "GET /v1/apps/unknown/versions/unknown");
    expect(rita.asked[2]).not.toHaveProperty("namespace");
  });

  it.each([
    ["GET /v1/workspaces/other/apps/app-1/versions/appv-1", 404],
    ["DELETE /v1/workspaces/other/apps/app-1/versions/appv-1", 404],
    ["DELETE /v1/workspaces/other/apps/app-1", 404],
    ["GET /v1/workspaces/other/repos/repo-1", 404],
    ["POST /v1/workspaces/other/repos/repo-1/action", 404],
    ["GET /v2alpha1/workspaces/other/apps/app-1", 404],
    ["GET /v2alpha1/workspaces/other/repos/repo-1", 404],
  ])("%s of somebody with all rights there is answered %i", async (route, status) => {
    const rita = world({ grants: ["get", "list", "delete", "refresh"] });
    expect(await ask(rita, route)).toMatchObject({ status, body: expect.stringContaining("not found") });
    expect(rita.published).toEqual([]);
  });

  it("tells those who bring no token, or a false one, to sign in", async () => {
    const unknown = { status: 401, headers: { "www-authenticate": "Bearer" } };
    expect(await ask(world(), "GET /v1/apps", { headers: { authorization: "" } })).toMatchObject(unknown);
    expect(await ask(world(), "GET /v1/apps", { headers: { authorization: "Bearer eve" } })).toMatchObject(unknown);
    expect(await ask(world(), `POST ${V}/action`, { ...submit, headers: { authorization: "" } })).toMatchObject(
      unknown,
    );
  });
});

describe("acts", () => {
  const changed = { version: "appv-1", app: "app-1", from: "draft", to: "submitted" } as const;
  const outcome = happened(VersionStateChanged, changed, { operator: "rita" });

  it("carry the authenticated person, whatever body and headers say", async () => {
    const rita = world({ grants: ["submit"], outcome });
    const body = '{"action":"submit","message":"please","operator":"eve","username":"eve"}';
    const answer = await ask(rita, `POST ${V}/action`, { body, headers: { "x-token-username": "eve" } });
    expect(answer).toMatchObject({ status: 200, body: '{"message":"success"}' });
    expect(rita.published).toMatchObject([
      { type: "io.openpitrix.version.submitted", operator: "rita", data: { version: "appv-1", message: "please" } },
    ]);
  });

  it.each([
    ["IllegalTransition", 400, "app_version_incorrect_status: no &lt;b&gt;\n"],
    ["Immutable", 403, "no &lt;b&gt;\n"],
    ["VersionNotFound", 404, "no &lt;b&gt;\n"],
    ["BeingDeleted", 409, "no &lt;b&gt;\n"],
    ["AnythingElse", 400, "no &lt;b&gt;\n"],
  ])("that are refused as %s are answered %i", async (reason, status, body) => {
    const data = { version: "appv-1", action: "submit", state: "draft", reason, message: "no <b>" } as const;
    const refusal = happened(VersionActionRefused, data);
    const answer = await ask(world({ grants: ["submit"], outcome: refusal }), `POST ${V}/action`, submit);
    expect(answer).toMatchObject({ status, body });
  });

  it("without an outcome in time are answered 504 with where to look", async () => {
    const rita = world({ grants: ["submit"] });
    const answer = await ask(rita, `POST ${V}/action`, submit);
    expect(answer.status).toBe(504);
    expect(answer.body).toContain(`GET /kapis/openpitrix.io/outcomes/${rita.published[0]?.id} `);
  });

  it("are told to the one who acted, and to nobody else", async () => {
    const own = await ask(world({ outcome }), "GET /outcomes/event-1");
    expect(JSON.parse(`${own.body}`)).toEqual({ type: VersionStateChanged.type, subject: "", data: changed });
    const foreign = happened(VersionStateChanged, changed, { operator: "eve" });
    expect(await ask(world({ outcome: foreign }), "GET /outcomes/event-1")).toMatchObject({ status: 404 });
  });

  it("sent again with the same key have the same id, and are not sent once their outcome is known", async () => {
    const key = { ...submit, headers: { "idempotency-key": "once" } };
    const first = world({ grants: ["submit"] });
    await ask(first, `POST ${V}/action`, key);
    await ask(first, `POST ${V}/action`, key);
    await ask(first, `POST ${V}/action`, { ...submit, headers: { "idempotency-key": "twice" } });
    const [one, again, other] = first.published.map(({ id }) => id);
    expect([again === one, other === one]).toEqual([true, false]);
    const later = world({ grants: ["submit"], outcome });
    expect(await ask(later, `POST ${V}/action`, key)).toMatchObject({ status: 200 });
    expect(later.published).toEqual([]);
  });
});

describe("what a repository's owner gave stays with the store", () => {
  it.each([
    "GET /v1/repos/repo-1",
    "GET /v1/workspaces/demo/repos",
    "GET /v1/repos?conditions=workspace=demo",
    "GET /v2alpha1/workspaces/demo/repos",
    "GET /v2alpha1/workspaces/demo/repos/repo-1",
  ])("%s", async (route) => {
    const answer = await ask(world({ grants: ["get", "list"] }), route);
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining("https://charts.example.com") });
    expect(answer.body).not.toContain(SECRET);
    expect(answer.body).not.toContain("packed");
  });
});

describe("charts that came with KubeSphere", () => {
  const of = (name: string, kind: Readonly<Record<string, string>>) => ({
    ...{ "application.kubesphere.io/repo-id": "builtin-charts", "application.kubesphere.io/app-id": name },
    ...kind,
  });
  const category = given(HelmCategory, "ctg-1", { spec: { name: "Database" }, status: { total: 2 } });
  const none = given(HelmCategory, "ctg-uncategorized", { spec: { name: "uncategorized" } });
  const chart = (name: string, said: string) => [
    given(HelmApplication, name, { metadata: { labels: of(name, {}) }, spec: { name } }),
    given(HelmApplicationVersion, `${name}-1.0.0`, {
      metadata: { labels: of(name, {}) },
      spec: { version: "1.0.0", annotations: { "app.kubesphere.io/category": said } },
      status: { state: "active" },
    }),
  ];
  const objects = [category, none, ...chart("mysql", "Database"), ...chart("odd", "Nothing")];
  const ofVersion = (asked: { labels?: Readonly<Record<string, string>> }, found: readonly KubeObject[]) => {
    const app = asked.labels?.["application.kubesphere.io/app-id"];
    return app === undefined ? found : found.filter(({ metadata }) => metadata.name.startsWith(app));
  };

  it("are in the category that their newest version names, and count in it", async () => {
    const rita = world({ objects, grants: ["get", "list"] });
    const { list } = rita.ports.kube;
    const narrowed = {
      ...rita.ports.kube,
      list: async (kind: never, asked = {}) => ofVersion(asked, await list(kind)),
    };
    const there = { ports: { ...rita.ports, kube: narrowed } as unknown as Ports };
    const counted = JSON.parse(`${(await ask(there, "GET /v1/categories")).body}`);
    const totals = counted.items.map((each: { category_id: string; app_total: number }) => [
      each.category_id,
      each.app_total,
    ]);
    expect(Object.fromEntries(totals)).toEqual({ "ctg-1": 3, "ctg-uncategorized": 1 });
    const query = "conditions=repo_id=repo-helm,category_id=ctg-1";
    const shown = JSON.parse(`${(await ask(there, `GET /v1/apps?${query}`)).body}`);
    expect(shown).toMatchObject({ total_count: 1, items: [{ app_id: "mysql", category_set: [{ name: "Database" }] }] });
  });
});

describe("what cannot be answered", () => {
  const all = { grants: ["get", "list", "create", "submit"] };
  const get = "GET /v1/workspaces/demo/apps/app-1";

  it.each([
    [new Failure("Unavailable", "kubernetes is down", { retryAfterMs: 2_500 }), 503, "kubernetes is down\n"],
    [new Failure("Invalid", "no <name>"), 400, "no &lt;name&gt;\n"],
    [new Failure("Forbidden", "we may not"), 500, "we may not\n"],
    [new Failure("Conflict", "another was first"), 409, "another was first\n"],
    [new Failure("TooLarge", "too much"), 413, "too much\n"],
    [new TypeError("x is undefined"), 500, "unexpected error; the log of this function names it\n"],
  ])("%s", async (failure, status, body) => {
    const answer = await ask(world({ ...all, failure }), get);
    const headers = { "content-type": "text/plain; charset=utf-8", ...(status === 503 ? { "retry-after": "3" } : {}) };
    expect(answer).toMatchObject({ status, body, headers });
    expect(answer.log).toEqual({ reason: failure.message });
  });

  it("is a body beyond the route's limit, however it is sent, and what events do not take", async () => {
    const long = (bytes: number) => ({ body: JSON.stringify({ action: "submit", message: "x".repeat(bytes) }) });
    expect(await ask(world(all), `POST ${V}/action`, long(70_000))).toMatchObject({ status: 413 });
    expect(await ask(world(all), `POST ${V}/action`, long(2_000))).toMatchObject({ status: 400 });
    const uploaded = { body: JSON.stringify({ version_package: "A".repeat(4_000_000) }) };
    const checked = await ask(world(all), "POST /v1/apps", uploaded);
    expect(checked).toMatchObject({ status: 400, body: expect.stringContaining("which workspace") });
    expect(PackageUploaded.data.safeParse({ digest: "x", workspace: "a b" }).success).toBe(false);
  });

  it("is white space without end where base64 should be, at once", async () => {
    const body = JSON.stringify({ type: "icon", attachment_content: `${" ".repeat(2_000_000)}%` });
    const answer = await ask(world({ grants: ["update"] }), "PATCH /v1/workspaces/demo/apps/app-1", { body });
    expect(answer).toMatchObject({ status: 400, body: "attachment_content is no base64\n" });
  });

  it("is a method that a path does not have: it says which it has", async () => {
    const answer = await ask(world(all), "PUT /v1/reviews");
    expect(answer).toMatchObject({ status: 405, headers: { allow: "GET" } });
    expect(await ask(world(all), "GET /v1/<x>")).toMatchObject({
      status: 404,
      body: expect.not.stringContaining("<x>"),
    });
  });
});
