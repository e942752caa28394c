import { beforeAll, describe, expect, test } from "vitest";
import { eventually, expectCode, expectStatus, type Loose, type Reply, type Sent } from "./client.ts";
import { configMap, fresh, useCluster } from "./fixture.ts";

const fixture = useCluster();
const rbac = "rbac.authorization.k8s.io/v1";
const account = "robot";
const maps = (rest = ""): string => fixture.core(`configmaps${rest}`);
let token = "";

async function requestToken(spec: Loose = {}): Promise<Loose> {
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec };
  return expectCode(await fixture.client.post(fixture.core(`serviceaccounts/${account}/token`), body), 201).body;
}

type ReviewKind = `${"authentication" | "authorization"}.k8s.io/${string}`;

function review(which: ReviewKind, spec: Loose, sent: Sent = {}): Promise<Reply> {
  const [group = "", kind = ""] = which.split("/");
  const body = { apiVersion: `${group}/v1`, kind, spec };
  return fixture.client.send("POST", `/apis/${group}/v1/${kind.toLowerCase()}s`, { body, ...sent });
}

async function bind(role: string, rules: Loose[], subject: Loose): Promise<void> {
  expectCode(await fixture.client.post(fixture.group(rbac, "roles"), { metadata: { name: role }, rules }), 201);
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: role };
  expectCode(
    await fixture.client.post(fixture.group(rbac, "rolebindings"), {
      metadata: { name: role },
      roleRef,
      subjects: [subject],
    }),
    201,
  );
}

beforeAll(async () => {
  expectCode(await fixture.client.post(fixture.core("serviceaccounts"), { metadata: { name: account } }), 201);
  token = (await requestToken()).status.token;
});

describe("authentication", () => {
  test.each([
    ["no token", null],
    ["a wrong token", "nonsense"],
    ["a forged token", "eyJhbGciOiJub25lIn0.e30."],
  ])("%s is unauthorized", async (_, wrong) => {
    const reply = await fixture.client.send("GET", maps(), { token: wrong });
    if (wrong === null) expect([401, 403]).toContain(reply.code);
    else expect(expectStatus(reply, 401, "Unauthorized").message).toBe("Unauthorized");
  });

  test("a token of a ServiceAccount is of its user", async () => {
    const { body } = await review("authentication.k8s.io/SelfSubjectReview", {}, { token });
    expect(body.status.userInfo).toMatchObject({
      username: `system:serviceaccount:${fixture.namespace}:${account}`,
      groups: expect.arrayContaining([
        "system:serviceaccounts",
        `system:serviceaccounts:${fixture.namespace}`,
        "system:authenticated",
      ]),
    });
  });

  test("a token request says how long the token holds", async () => {
    const { spec, status } = await requestToken({ expirationSeconds: 3600 });
    expect(spec.expirationSeconds).toBe(3600);
    expect(Date.parse(status.expirationTimestamp)).toBeGreaterThan(Date.now() + 3_000_000);
  });

  test("a token for less than ten minutes is refused", async () => {
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 10 } };
    const reply = await fixture.client.post(fixture.core(`serviceaccounts/${account}/token`), body);
    expect(expectStatus(reply, 422, "Invalid").message).toBe(
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 10: may not specify a duration less than 10 minutes',
    );
  });

  test("a token of an account that does not exist is not found", async () => {
    expectStatus(
      await fixture.client.post(fixture.core("serviceaccounts/nobody/token"), { spec: {} }),
      404,
      "NotFound",
    );
  });

  test("a token for another audience does not open the API", async () => {
    const other = (await requestToken({ audiences: ["elsewhere"] })).status.token;
    expectStatus(await fixture.client.send("GET", maps(), { token: other }), 401, "Unauthorized");
  });

  test("TokenReview knows good tokens, and for whom they are", async () => {
    const { body } = await review("authentication.k8s.io/TokenReview", { token });
    expect(body.status).toMatchObject({
      authenticated: true,
      user: { username: `system:serviceaccount:${fixture.namespace}:${account}` },
    });
    const other = (await requestToken({ audiences: ["elsewhere"] })).status.token;
    const asked = await review("authentication.k8s.io/TokenReview", {
      token: other,
      audiences: ["elsewhere", "more"],
    });
    expect(asked.body.status).toMatchObject({ authenticated: true, audiences: ["elsewhere"] });
  });

  test("TokenReview knows bad tokens", async () => {
    const { body } = await review("authentication.k8s.io/TokenReview", { token: "nonsense" });
    expect(body.status.authenticated ?? false).toBe(false);
  });

  test("a token dies with its account", async () => {
    const name = fresh("short");
    await fixture.client.post(fixture.core("serviceaccounts"), { metadata: { name } });
    const made = await fixture.client.post(fixture.core(`serviceaccounts/${name}/token`), {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: {},
    });
    await fixture.client.delete(fixture.core(`serviceaccounts/${name}`));
    await eventually(
      () => fixture.client.send("GET", maps(), { token: made.body.status.token }),
      (reply) => reply.code === 401,
    );
  });

  test("a token bound to an object dies with it", async () => {
    const secret = (await fixture.client.post(fixture.core("secrets"), { metadata: { name: fresh("bound") } })).body;
    const boundObjectRef = { apiVersion: "v1", kind: "Secret", name: secret.metadata.name, uid: secret.metadata.uid };
    const bound = (await requestToken({ boundObjectRef })).status.token;
    expectCode(await review("authentication.k8s.io/SelfSubjectReview", {}, { token: bound }), 201);
    await fixture.client.delete(fixture.core(`secrets/${secret.metadata.name}`));
    await eventually(
      () => review("authentication.k8s.io/SelfSubjectReview", {}, { token: bound }),
      (reply) => reply.code === 401,
    );
  });
});

describe("authorization", () => {
  const asRobot = (method: string, path: string, body?: unknown): Promise<Reply> =>
    fixture.client.send(method, path, body === undefined ? { token } : { token, body });

  test("an account without roles may do nothing", async () => {
    const status = expectStatus(await asRobot("GET", maps()), 403, "Forbidden");
    expect(status.message).toBe(
      `configmaps is forbidden: User "system:serviceaccount:${fixture.namespace}:${account}" cannot list resource "configmaps" in API group "" in the namespace "${fixture.namespace}"`,
    );
    expect(status.details).toEqual({ kind: "configmaps" });
  });

  test("one object is named in the refusal", async () => {
    const status = expectStatus(await asRobot("GET", fixture.core("secrets/one")), 403, "Forbidden");
    expect(status.message).toMatch(/^secrets "one" is forbidden: User .* cannot get resource "secrets"/);
  });

  test("the cluster scope is named in the refusal", async () => {
    const status = expectStatus(await asRobot("GET", "/api/v1/nodes"), 403, "Forbidden");
    expect(status.message).toContain('cannot list resource "nodes" in API group "" at the cluster scope');
  });

  test("discovery is open to everybody who is known", async () => {
    for (const path of ["/api", "/apis", "/apis/apps/v1", "/openapi/v3", "/version"])
      expectCode(await asRobot("GET", path), 200);
  });

  test("a role allows its verbs on its resources in its namespace", async () => {
    await bind("reader", [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] }], {
      kind: "ServiceAccount",
      name: account,
      namespace: fixture.namespace,
    });
    await eventually(
      () => asRobot("GET", maps()),
      (reply) => reply.code === 200,
    );
    expectStatus(await asRobot("POST", maps(), configMap(fresh())), 403, "Forbidden");
    expectStatus(await asRobot("GET", "/api/v1/namespaces/default/configmaps"), 403, "Forbidden");
    expectStatus(await asRobot("GET", "/api/v1/configmaps"), 403, "Forbidden");
  });

  test("resourceNames narrow a role", async () => {
    await bind("named", [{ apiGroups: [""], resources: ["secrets"], resourceNames: ["mine"], verbs: ["get"] }], {
      kind: "ServiceAccount",
      name: account,
      namespace: fixture.namespace,
    });
    await fixture.client.post(fixture.core("secrets"), { metadata: { name: "mine" } });
    await eventually(
      () => asRobot("GET", fixture.core("secrets/mine")),
      (reply) => reply.code === 200,
    );
    expectStatus(await asRobot("GET", fixture.core("secrets/yours")), 403, "Forbidden");
  });

  test("subresources are rights of their own", async () => {
    await bind("scaler", [{ apiGroups: ["apps"], resources: ["deployments/scale"], verbs: ["*"] }], {
      kind: "ServiceAccount",
      name: account,
      namespace: fixture.namespace,
    });
    await eventually(
      () => asRobot("GET", fixture.group("apps/v1", "deployments/none/scale")),
      (reply) => reply.code === 404,
    );
    expectStatus(await asRobot("GET", fixture.group("apps/v1", "deployments/none")), 403, "Forbidden");
  });

  test("a group of all accounts of a namespace can be bound", async () => {
    await bind("group", [{ apiGroups: ["batch"], resources: ["jobs"], verbs: ["list"] }], {
      kind: "Group",
      apiGroup: "rbac.authorization.k8s.io",
      name: `system:serviceaccounts:${fixture.namespace}`,
    });
    await eventually(
      () => asRobot("GET", fixture.group("batch/v1", "jobs")),
      (reply) => reply.code === 200,
    );
  });

  test("a cluster role can be bound in one namespace", async () => {
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
    await fixture.client.post(fixture.group(rbac, "rolebindings"), {
      metadata: { name: "viewer" },
      roleRef,
      subjects: [{ kind: "ServiceAccount", name: account, namespace: fixture.namespace }],
    });
    await eventually(
      () => asRobot("GET", fixture.core("pods")),
      (reply) => reply.code === 200,
    );
    expectStatus(await asRobot("GET", "/api/v1/namespaces/default/pods"), 403, "Forbidden");
  });

  test("paths that are no resources are allowed by cluster roles", async () => {
    expectStatus(await asRobot("GET", "/metrics"), 403, "Forbidden");
  });
});

describe("reviews", () => {
  const resourceAttributes = (verb: string): Loose => ({ namespace: fixture.namespace, verb, resource: "services" });

  test("SelfSubjectAccessReview tells what the caller may do", async () => {
    const mine = await review("authorization.k8s.io/SelfSubjectAccessReview", {
      resourceAttributes: resourceAttributes("delete"),
    });
    expect(expectCode(mine, 201).body.status.allowed).toBe(true);
    const robots = await review(
      "authorization.k8s.io/SelfSubjectAccessReview",
      { resourceAttributes: resourceAttributes("delete") },
      { token },
    );
    expect(robots.body.status.allowed).toBe(false);
  });

  test("SubjectAccessReview tells what others may do", async () => {
    await bind("services", [{ apiGroups: [""], resources: ["services"], verbs: ["get"] }], {
      kind: "User",
      apiGroup: "rbac.authorization.k8s.io",
      name: "jane",
    });
    const ask = (verb: string): Promise<Reply> =>
      review("authorization.k8s.io/SubjectAccessReview", {
        user: "jane",
        resourceAttributes: resourceAttributes(verb),
      });
    await eventually(
      () => ask("get"),
      (reply) => reply.body.status.allowed === true,
    );
    expect((await ask("delete")).body.status.allowed).toBe(false);
  });

  test("LocalSubjectAccessReview is about one namespace", async () => {
    const body = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "LocalSubjectAccessReview",
      metadata: { namespace: fixture.namespace },
      spec: { user: "nobody", resourceAttributes: resourceAttributes("get") },
    };
    const reply = await fixture.client.post(
      fixture.group("authorization.k8s.io/v1", "localsubjectaccessreviews"),
      body,
    );
    expect(expectCode(reply, 201).body.status.allowed).toBe(false);
  });

  test("paths can be reviewed", async () => {
    const { body } = await review("authorization.k8s.io/SelfSubjectAccessReview", {
      nonResourceAttributes: { path: "/version", verb: "get" },
    });
    expect(body.status.allowed).toBe(true);
  });

  test("a review of nothing is refused", async () => {
    expect([400, 422]).toContain((await review("authorization.k8s.io/SelfSubjectAccessReview", {})).code);
  });

  test("SelfSubjectRulesReview lists rules", async () => {
    const reply = await review("authorization.k8s.io/SelfSubjectRulesReview", { namespace: fixture.namespace });
    expect(expectCode(reply, 201).body.status.resourceRules).toContainEqual(
      expect.objectContaining({ verbs: ["*"], resources: ["*"] }),
    );
  });

  test("reviews cannot be listed", async () => {
    expect([404, 405]).toContain((await fixture.client.get("/apis/authorization.k8s.io/v1/subjectaccessreviews")).code);
  });
});

describe("impersonation", () => {
  test("acts as the other user", async () => {
    const headers = { "impersonate-user": "jane", "impersonate-group": "system:authenticated" };
    const { body } = await review("authentication.k8s.io/SelfSubjectReview", {}, { headers });
    expect(body.status.userInfo).toMatchObject({
      username: "jane",
      groups: expect.arrayContaining(["system:authenticated"]),
    });
    expectStatus(await fixture.client.get("/api/v1/nodes", headers), 403, "Forbidden");
  });

  test("of an account takes its groups along", async () => {
    const headers = { "impersonate-user": `system:serviceaccount:${fixture.namespace}:${account}` };
    const { body } = await review("authentication.k8s.io/SelfSubjectReview", {}, { headers });
    expect(body.status.userInfo.groups).toContain("system:serviceaccounts");
  });

  test("is forbidden without the right", async () => {
    const reply = await fixture.client.send("GET", maps(), { token, headers: { "impersonate-user": "jane" } });
    expect(expectStatus(reply, 403, "Forbidden").message).toContain("cannot impersonate");
  });
});

describe("what somebody may hand out", () => {
  const group = "rbac.authorization.k8s.io";
  const roles = (rest = ""): string => fixture.group(`${group}/v1`, `roles${rest}`);
  const bindings = (rest = ""): string => fixture.group(`${group}/v1`, `rolebindings${rest}`);
  const user = fresh("granter");
  const by = { "impersonate-user": user };
  const pods = (...verbs: string[]) => ({ apiGroups: [""], resources: ["pods"], verbs });
  const own = [
    { apiGroups: [group], resources: ["roles", "rolebindings"], verbs: ["create", "update", "patch", "get"] },
    pods("get", "list"),
  ];
  const roleRef = (name: string) => ({ apiGroup: group, kind: "Role", name });

  beforeAll(async () => {
    const subjects = [{ apiGroup: group, kind: "User", name: user }];
    expectCode(await fixture.client.post(roles(), { metadata: { name: "granter" }, rules: own }), 201);
    await fixture.client.post(bindings(), { metadata: { name: "granter" }, roleRef: roleRef("granter"), subjects });
    const big = { metadata: { name: "big" }, rules: [pods("*")] };
    expectCode(await fixture.client.post(roles(), big), 201);
    await eventually(
      () => fixture.client.send("GET", roles("/granter"), { headers: by }),
      ({ code }) => code === 200,
    );
  });

  test("a role of what they hold is theirs to make", async () => {
    const body = { metadata: { name: "small" }, rules: [pods("get")] };
    expectCode(await fixture.client.send("POST", roles(), { body, headers: by }), 201);
    const bound = { metadata: { name: "small" }, roleRef: roleRef("small"), subjects: [] };
    expectCode(await fixture.client.send("POST", bindings(), { body: bound, headers: by }), 201);
  });

  test("a role of more is refused, and told what is missing", async () => {
    const body = {
      metadata: { name: "more" },
      rules: [{ apiGroups: [""], resources: ["pods", "secrets"], verbs: ["get", "delete"] }],
    };
    const reply = await fixture.client.send("POST", roles(), { body, headers: by });
    expect(expectStatus(reply, 403, "Forbidden").message).toBe(
      `roles.${group} "more" is forbidden: user "${user}" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n` +
        '{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete"]}',
    );
  });

  test("a role cannot grow beyond that by any kind of write", async () => {
    const path = roles("/grows");
    const rules = [pods("get")];
    expectCode(await fixture.client.post(roles(), { metadata: { name: "grows" }, rules }), 201);
    const sent = (type: string, body: unknown) => ({ type, body, headers: by });
    const grown = { rules: [pods("get", "watch")] };
    const applied = { apiVersion: `${group}/v1`, kind: "Role", metadata: { name: "grows" }, ...grown };
    const replies = [
      await fixture.client.send("PUT", path, { body: { metadata: { name: "grows" }, ...grown }, headers: by }),
      await fixture.client.send("PATCH", path, sent("application/merge-patch+json", grown)),
      await fixture.client.send(
        "PATCH",
        `${path}?fieldManager=x&force=true`,
        sent("application/apply-patch+yaml", applied),
      ),
    ];
    for (const reply of replies) expectStatus(reply, 403, "Forbidden");
    const label = { metadata: { labels: { a: "b" } } };
    expectCode(await fixture.client.send("PATCH", path, sent("application/merge-patch+json", label)), 200);
  });

  test("a binding to a role of more is refused, and to none is not found", async () => {
    const bind = (role: string) => ({ metadata: { name: `to-${role}` }, roleRef: roleRef(role), subjects: [] });
    const refused = await fixture.client.send("POST", bindings(), { body: bind("big"), headers: by });
    expect(expectStatus(refused, 403, "Forbidden").message).toContain('Verbs:["*"]');
    expectStatus(await fixture.client.send("POST", bindings(), { body: bind("none"), headers: by }), 404, "NotFound");
  });

  test("the verbs escalate and bind lift that", async () => {
    const rules = [...own, { apiGroups: [group], resources: ["roles"], verbs: ["escalate", "bind"] }];
    expectCode(await fixture.client.patch(roles("/granter"), "merge", { rules }), 200);
    const body = { metadata: { name: "lifted" }, rules: [pods("*")] };
    await eventually(
      () => fixture.client.send("POST", roles("?dryRun=All"), { body, headers: by }),
      ({ code }) => code === 201,
    );
    const bound = { metadata: { name: "lifted" }, roleRef: roleRef("big"), subjects: [] };
    expectCode(await fixture.client.send("POST", bindings(), { body: bound, headers: by }), 201);
  });
});
