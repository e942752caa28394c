import { expect, it } from "vitest";
import type { Wish } from "../../shared/access-port.ts";
import type { Event } from "../../shared/event.ts";
import { begin } from "../../shared/event.ts";
import { AppEdited } from "../../shared/events/app.ts";
import { CategoryCreated } from "../../shared/events/category.ts";
import { RepoAdded } from "../../shared/events/repo.ts";
import { VersionApproved, VersionStateChanged, VersionSubmitted } from "../../shared/events/version.ts";
import { WorkspaceDeleted } from "../../shared/events/workspace.ts";
import type { HttpRequest } from "../../shared/http-function.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { given, happened, NOW } from "../../test/support/objects.ts";
import subject from "./function.ts";

type Ports = Parameters<typeof subject.handle>[1];

const version = given(HelmApplicationVersion, "appv-1", {
  metadata: { labels: { "kubesphere.io/workspace": "demo" } },
});

/** A world in which the token `rita` is rita's, who may do what `grants` lists. */
function world(...grants: readonly string[]) {
  const asked: Wish[] = [];
  const published: Event[] = [];
  const ports = {
    kube: { get: async (_kind: unknown, name: string) => (name === "appv-1" ? version : undefined) },
    access: {
      authenticate: async (token: string) => (token === "rita" ? { name: "rita", groups: [] } : undefined),
      permits: async (_user: unknown, wish: Wish) => {
        asked.push(wish);
        return grants.includes(wish.verb) ? { allowed: true } : { allowed: false, message: `no ${wish.verb}` };
      },
    },
    publish: async (announcement: Parameters<Ports["publish"]>[0], occurrence = {}) => {
      const event = begin("event-intake", announcement, { id: "x", now: NOW, ...occurrence });
      published.push(event);
      return event;
    },
  } as unknown as Ports;
  return { asked, published, ports };
}

function post(body: unknown, over: Partial<HttpRequest> = {}): HttpRequest {
  const batch = Array.isArray(body);
  const headers = {
    authorization: "Bearer rita",
    "content-type": `application/cloudevents${batch ? "-batch" : ""}+json`,
    ...over.headers,
  };
  const bytes = Buffer.from(JSON.stringify(body));
  const request = { method: "POST", path: "/events", query: new URLSearchParams(), remoteAddress: "127.0.0.1" };
  return { ...request, body: ReadableStream.from([bytes]), bytes: async () => bytes, ...over, headers };
}

const approve = happened(VersionApproved, { version: "appv-1" }, { operator: "somebody else" });

it("stamps who sent an act, whatever the event says of it, and asks for the right in the object's workspace", async () => {
  const { ports, published, asked } = world("review");
  expect(await subject.handle(post(approve), ports)).toMatchObject({ status: 202 });
  expect(asked).toEqual([
    {
      verb: "review",
      group: "openpitrix.io",
      resource: "apps",
      subresource: "versions",
      name: "appv-1",
      namespace: "demo",
    },
  ]);
  expect(published).toMatchObject([{ type: VersionApproved.type, operator: "rita", data: { version: "appv-1" } }]);
});

it("takes the same event sent twice for one act, and another person's for another", async () => {
  const { ports, published } = world("review");
  await subject.handle(post(approve), ports);
  await subject.handle(post(approve), ports);
  await subject.handle(post({ ...approve, id: "event-2" }), ports);
  expect(published[0]?.id).toBe(published[1]?.id);
  expect(published[2]?.id).not.toBe(published[0]?.id);
});

it("announces nothing of a batch in which one act is not permitted", async () => {
  const { ports, published } = world("review");
  const submit = happened(VersionSubmitted, { version: "appv-1" }, { id: "event-2" });
  expect(await subject.handle(post([approve, submit]), ports)).toMatchObject({ status: 403 });
  expect(published).toEqual([]);
});

it("asks for rights in the whole store where the store's copy is edited or a category made", async () => {
  const copy = given(HelmApplication, "app-1-store", {
    metadata: {
      labels: { "application.kubesphere.io/repo-id": "repo-helm", "kubesphere.io/workspace-origin": "demo" },
    },
    spec: { name: "web" },
  });
  const { ports, asked } = world("update", "create");
  const all = { ...ports, kube: { get: async () => copy } } as unknown as Ports;
  const edited = happened(AppEdited, { app: "app-1-store", category: "ctg-1" });
  const made = happened(CategoryCreated, { name: "Web" }, { id: "event-2" });
  expect(await subject.handle(post([edited, made]), all)).toMatchObject({ status: 202 });
  expect(asked).toEqual([
    { verb: "update", group: "openpitrix.io", resource: "apps", name: "app-1-store" },
    { verb: "create", group: "openpitrix.io", resource: "categories" },
  ]);
});

it.each([
  {
    act: happened(RepoAdded, { workspace: "demo", name: "charts", url: "https://x" }),
    wish: { verb: "create", resource: "repos", namespace: "demo" },
  },
  { act: happened(WorkspaceDeleted, { workspace: "demo" }), wish: { verb: "delete", resource: "workspaces" } },
])("asks for the right to $wish.verb $wish.resource", async ({ act, wish }) => {
  const { ports, asked } = world("create", "delete");
  expect(await subject.handle(post(act), ports)).toMatchObject({ status: 202 });
  expect(asked).toEqual([{ group: "openpitrix.io", ...wish }]);
});

it.each([
  { step: "business", grants: ["review-business"], status: 202 },
  { step: "business", grants: ["review-technical"], status: 403 },
  { step: "admin", grants: ["review"], status: 403 },
  { step: "admin", grants: ["review-admin"], status: 202 },
] as const)("step $step with the right to $grants: $status", async ({ step, grants, status }) => {
  const { ports } = world(...grants);
  const passing = happened(VersionApproved, { version: "appv-1", step });
  expect(await subject.handle(post(passing), ports)).toMatchObject({ status });
});

it.each([
  { what: "no token", request: post(approve, { headers: { authorization: "" } }), status: 401 },
  { what: "nobody's token", request: post(approve, { headers: { authorization: "Bearer bob" } }), status: 401 },
  { what: "another path", request: post(approve, { path: "/" }), status: 404 },
  { what: "another method", request: post(approve, { method: "GET" }), status: 405 },
  { what: "data that is not an act's", request: post({ ...approve, data: { version: 7 } }), status: 400 },
  {
    what: "a fact that only functions announce",
    request: post(happened(VersionStateChanged, { version: "appv-1", app: "", from: null, to: "active" })),
    status: 400,
  },
  {
    what: "a name that no object can have",
    request: post([approve, happened(VersionApproved, { version: "appv-1\n" }, { id: "event-2" })]),
    status: 400,
  },
  { what: "half a character for a name", request: post(happened(VersionApproved, { version: "\ud800" })), status: 400 },
  { what: "too many events", request: post(Array.from({ length: 101 }, () => approve)), status: 413 },
])("refuses $what with $status", async ({ request, status }) => {
  const { ports, published } = world("review");
  const answer = await subject.handle(request, ports);
  expect(answer.status).toBe(status);
  expect(answer.body).toContain("error");
  expect(published).toEqual([]);
});
