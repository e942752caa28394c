import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PRODUCER_TYPES } from "../../../shared/resources/receiver.ts";
import { type Authorities, startAuthorities } from "./authorities.ts";
import { GIT_SAMPLES } from "./git-samples.ts";
import { type Intake, openIntake } from "./intake-host.ts";
import { MANAGER_SAMPLES, snsMessage, vouchedSamples } from "./other-samples.ts";
import { REGISTRY_SAMPLES } from "./registry-samples.ts";
import { jsonBody, type Making, type Sample, type Sent, TOKEN } from "./sample.ts";
import { watchSockets } from "./sockets.ts";

// Where the authorities are is known only later, but not what their samples are called.
const NOWHERE = { keysUrl: "http://127.0.0.1:9/keys" } as Authorities;
const TITLES = [...REGISTRY_SAMPLES, ...GIT_SAMPLES, ...MANAGER_SAMPLES, ...vouchedSamples(NOWHERE)];

let authorities: Authorities;
let samples: ReadonlyMap<string, Sample>;

beforeAll(async () => {
  authorities = await startAuthorities();
  const all = [...REGISTRY_SAMPLES, ...GIT_SAMPLES, ...MANAGER_SAMPLES, ...vouchedSamples(authorities)];
  samples = new Map(all.map((sample) => [sample.title, sample]));
});
afterAll(() => authorities[Symbol.asyncDispose]());

function sampleOf(title: string): Sample {
  const sample = samples.get(title);
  if (!sample) throw new Error(`no sample is called ${title}`);
  return sample;
}

/** The intake in front of the repository that the sample is about. */
function intakeOf(sample: Sample, url = sample.url): Promise<Intake> {
  const secrets = sample.key === "" ? {} : { [sample.key]: sample.secret };
  return openIntake({ url, receiver: sample.receiver, secrets, authorities });
}

function make({ place, secret, make: send }: Sample, over: Partial<Making> = {}): Sent {
  return send({ place, version: "1.4.2", secret, at: new Date(), ...over });
}

/** The same but for one character in its middle. */
function almost(secret: string): string {
  const middle = Math.floor(secret.length / 2);
  return `${secret.slice(0, middle)}${secret[middle] === "x" ? "y" : "x"}${secret.slice(middle + 1)}`;
}

/** Titles of the samples with a property. */
function those(has: (sample: Sample) => boolean): readonly string[] {
  return TITLES.filter(has).map(({ title }) => title);
}

const ACCEPTED = { status: 202, body: "" };
const REFUSED = { status: 401, body: "" };

test("every type of producer has a sample", () => {
  expect(new Set(TITLES.map(({ receiver }) => receiver.type))).toEqual(new Set(PRODUCER_TYPES));
});

describe.each(TITLES.map((each) => [each.title, each] as const))("%s", (title, { identified, expected }) => {
  test("is proven and announced, once", async () => {
    const sample = sampleOf(title);
    await using intake = await intakeOf(sample);
    expect(await intake.deliver(make(sample))).toEqual(ACCEPTED);
    const data = { repo: "charts", receiver: "hook", producer: sample.receiver.type, ...expected };
    expect(intake.events()).toEqual([
      expect.objectContaining({
        type: "io.openpitrix.webhook.received",
        source: "/openpitrix/webhook-intake",
        subject: "helmrepos/charts",
        operator: "webhook:charts/hook",
        data: expect.objectContaining(data),
      }),
    ]);
  });

  test("with a wrong secret is refused, as for a receiver that does not exist", async () => {
    const sample = sampleOf(title);
    await using intake = await intakeOf(sample);
    const wrong = make(sample, { secret: almost(sample.secret) });
    expect(await intake.deliver(wrong)).toEqual(REFUSED);
    expect(await intake.deliver(make(sample), "/hooks/charts/other")).toEqual(REFUSED);
    expect(await intake.deliver(make(sample), "/hooks/others/hook")).toEqual(REFUSED);
    expect(intake.events()).toEqual([]);
  });

  test("without any proof is refused", async () => {
    const sample = sampleOf(title);
    await using intake = await intakeOf(sample);
    const { body, headers } = make(sample);
    const kept = Object.entries(headers).filter(([name]) => !/authorization|token|signature|secret|auth$/.test(name));
    const bare = sample.receiver.type === "sns" ? jsonBody({ ...JSON.parse(String(body)), Signature: "" }) : body;
    expect(await intake.deliver({ body: bare, headers: Object.fromEntries(kept) })).toEqual(REFUSED);
    expect(intake.events()).toEqual([]);
  });

  test(
    identified ? "told twice is one event" : "told twice is two events, since it may have happened twice",
    async () => {
      const sample = sampleOf(title);
      await using intake = await intakeOf(sample);
      const sent = make(sample);
      expect([await intake.deliver(sent), await intake.deliver(sent)]).toEqual([ACCEPTED, ACCEPTED]);
      expect(intake.events()).toHaveLength(identified ? 1 : 2);
    },
  );

  test("beyond three MiB is refused unread", async () => {
    const sample = sampleOf(title);
    await using intake = await intakeOf(sample);
    const { body, ...sent } = make(sample);
    const padded = Buffer.concat([body, Buffer.alloc(3 * 1024 * 1024, " ")]);
    expect(await intake.deliver({ ...sent, body: padded })).toMatchObject({ status: 413 });
    expect(intake.events()).toEqual([]);
  });

  test("finds its repository in whatever case hosts are written", async () => {
    const sample = sampleOf(title);
    const upper = (text: string) => text.replace(/^([a-z0-9]+:\/\/)?[^/]+/, (host) => host.toUpperCase());
    await using intake = await intakeOf(sample, upper(sample.url));
    // An account number and a region are no host yet.
    const place = /amazonaws/.test(sample.place) ? sample.place : upper(sample.place);
    expect(await intake.deliver(make(sample, { place }))).toEqual(ACCEPTED);
    expect(intake.events()).toMatchObject([{ data: expected }]);
  });

  test("makes the store connect to nobody but the authority that its receiver names", async () => {
    const sample = sampleOf(title);
    await using intake = await intakeOf(sample);
    using sockets = watchSockets();
    await intake.deliver(make(sample));
    if (sample.elsewhere !== "") {
      const internal = sample.receiver.type === "dockerhub" ? "evil/web" : "127.0.0.1:41999/acme/web";
      await intake.deliver(make(sample, { place: internal }));
    }
    const allowed = [new URL(intake.url).host, ...(sample.key === "" ? [`127.0.0.1:${authorities.port}`] : [])];
    expect(new Set(sockets.begun).difference(new Set(allowed))).toEqual(new Set());
    expect(sockets.begun).toContain(allowed[0]);
  });
});

test.each(those(({ signs }) => signs))("%s, with one byte of its body changed, is refused", async (title) => {
  const sample = sampleOf(title);
  await using intake = await intakeOf(sample);
  const { body, ...sent } = make(sample);
  const version = body.indexOf(sample.expected["certainty"] === "git" ? "refs/" : "1.4.2");
  expect(version).toBeGreaterThan(0);
  const changed = Buffer.from(body);
  changed[version] = "9".charCodeAt(0);
  expect(await intake.deliver({ ...sent, body: changed })).toEqual(REFUSED);
  expect(intake.events()).toEqual([]);
});

describe.each([-3 * 3600, 3 * 3600])("signed %d seconds from now", (seconds) => {
  test.each(those(({ dated }) => dated))("%s is refused", async (title) => {
    const sample = sampleOf(title);
    await using intake = await intakeOf(sample);
    const sent = make(sample, { at: new Date(Date.now() + seconds * 1000) });
    expect(await intake.deliver(sent)).toEqual(REFUSED);
    expect(intake.events()).toEqual([]);
  });
});

test.each(those(({ elsewhere }) => elsewhere !== ""))(
  "%s, about another place, is taken, counted and forgotten",
  async (title) => {
    const sample = sampleOf(title);
    await using intake = await intakeOf(sample);
    expect(await intake.deliver(make(sample, { place: sample.elsewhere }))).toEqual(ACCEPTED);
    expect(intake.events()).toEqual([]);
    const [line] = intake.lines;
    expect(line).toMatchObject({
      status: 202,
      received: 0,
      ignored: { "not in this repository": expect.any(Number) },
    });
  },
);

test("the guard at the socket sees plain and TLS connections, by name and by address", async () => {
  using sockets = watchSockets();
  for (const url of ["http://127.0.0.1:41999/", "https://127.0.0.1:41999/", "https://localhost:41999/"])
    await fetch(url).catch(() => {});
  expect(sockets.begun).toEqual(["127.0.0.1:41999", "127.0.0.1:41999", "localhost:41999"]);
});

describe("while a secret is being changed", () => {
  test.each([
    ["token", "previousToken"],
    ["other", "previousToken"],
  ])("with %s in token, the one in %s holds", async (token, previous) => {
    const sample = sampleOf("GitHub, push");
    const secrets = { token: token === "token" ? sample.secret : "new", [previous]: sample.secret };
    await using intake = await openIntake({ ...sample, secrets });
    expect(await intake.deliver(make(sample))).toEqual(ACCEPTED);
  });

  test.each(["Bearer of tokens", "Basic truths", "a:b", "Bearer a:b", "Basic YTpi"])(
    "token %j is taken as it is",
    async (token) => {
      const sample = sampleOf("Harbor, default format");
      await using intake = await openIntake({ ...sample, secrets: { token, previousToken: `1234567${token}` } });
      const { body, headers } = make(sample);
      const basic = `Basic ${Buffer.from(`user:${token}`).toString("base64")}`;
      for (const authorization of [token, `Bearer ${token}`, `bearer ${token}`, basic]) {
        expect(await intake.deliver({ body, headers: { ...headers, authorization } }), authorization).toEqual(ACCEPTED);
      }
      for (const authorization of [`Token ${token}`, `${token} `.repeat(2), token.slice(1), token.toUpperCase()]) {
        expect(await intake.deliver({ body, headers: { ...headers, authorization } }), authorization).toEqual(REFUSED);
      }
    },
  );

  test("an empty secret lets nobody in", async () => {
    const sample = sampleOf("Harbor, default format");
    for (const secrets of [{ token: "" }, {}]) {
      await using intake = await openIntake({ ...sample, secrets });
      for (const secret of ["", " ", "Bearer ", "undefined"]) {
        expect(await intake.deliver(make(sample, { secret })), `secret ${JSON.stringify(secret)}`).toEqual(REFUSED);
      }
    }
  });

  test("a signing key holds in base64 and as it was typed", async () => {
    const sample = sampleOf("GitLab, signed");
    const typed = "a key of twenty-four byte";
    for (const signingKey of [sample.secret, sample.secret.slice("whsec_".length), typed]) {
      await using intake = await openIntake({ ...sample, secrets: { signingKey } });
      expect(await intake.deliver(make(sample)), signingKey).toEqual(ACCEPTED);
    }
    await using intake = await openIntake({ ...sample, secrets: { signingKey: `${typed}s` } });
    expect(await intake.deliver(make(sample))).toEqual(REFUSED);
  });

  test("a receiver that demands signatures takes no token instead", async () => {
    for (const title of ["GitLab, token", "Artifactory, OCI"]) {
      const sample = sampleOf(title);
      await using intake = await openIntake({
        ...sample,
        secrets: { token: TOKEN, signingKey: `whsec_${btoa("k".repeat(24))}` },
      });
      expect(await intake.deliver(make(sample)), title).toEqual(REFUSED);
    }
  });
});

describe("several at once", () => {
  test("each version tag of a push is announced, names like latest are not", async () => {
    const sample = sampleOf("Quay");
    await using intake = await intakeOf(sample);
    const { headers, query = "" } = make(sample);
    const body = jsonBody({ docker_url: sample.place, updated_tags: ["1.4.2", "1.4", "latest", "2.0.0_build.7"] });
    expect(await intake.deliver({ headers, query, body })).toEqual(ACCEPTED);
    expect(intake.events().map(({ data }) => (data as { version: string }).version)).toEqual([
      "1.4.2",
      "1.4",
      "2.0.0+build.7",
    ]);
    expect(intake.lines[0]).toMatchObject({ received: 3, ignored: { "no version": 1 } });
  });

  test("one of Harbor's policies or two, a push is one event", async () => {
    const sample = sampleOf("Harbor, CloudEvents format");
    await using intake = await intakeOf(sample);
    const at = new Date();
    const { body, headers } = make(sample, { at });
    const second = jsonBody({ ...JSON.parse(String(body)), id: "another", source: "/projects/7/webhook/policies/4" });
    await intake.deliver({ headers, body });
    await intake.deliver({ headers, body: second });
    await intake.deliver(make(sampleOf("Harbor, default format"), { at }));
    expect(intake.events()).toHaveLength(1);
  });

  test("more than 500 things in one notification are refused", async () => {
    const sample = sampleOf("Distribution registry");
    await using intake = await intakeOf(sample);
    const { headers, body } = make(sample);
    const [, push] = (JSON.parse(String(body)) as { events: object[] }).events;
    const flood = (count: number) => ({ headers, body: jsonBody({ events: Array(count).fill(push) }) });
    expect((await intake.deliver(flood(501))).status).toBe(413);
    expect(await intake.deliver(flood(500))).toEqual(ACCEPTED);
    expect(intake.events()).toHaveLength(1);
  });
});

describe("SNS", () => {
  const TOPIC = "arn:aws:sns:eu-west-1:123456789012:pushes";
  const asking = { Type: "SubscriptionConfirmation", TopicArn: TOPIC, Message: "confirm", at: new Date() };

  test("a subscription of the receiver's topic is confirmed at the endpoint of its region, not where the message says", async () => {
    await using intake = await intakeOf(sampleOf("Amazon ECR through SNS, signature 2"));
    const message = { ...asking, Token: "2336412f37", SubscribeURL: "http://169.254.169.254/" };
    const before = authorities.asked.length;
    expect(await intake.deliver(snsMessage(message, "2", authorities))).toEqual(ACCEPTED);
    const [certificate, confirmation] = authorities.asked.slice(before);
    expect(certificate).toMatch(/^https:\/\/sns\.eu-west-1\.amazonaws\.com\/SimpleNotificationService-\w+\.pem$/);
    expect(Object.fromEntries(new URL(confirmation ?? "").searchParams)).toEqual({
      Action: "ConfirmSubscription",
      TopicArn: TOPIC,
      Token: "2336412f37",
    });
    expect(confirmation).toMatch(/^https:\/\/sns\.eu-west-1\.amazonaws\.com\/\?/);
    expect(intake.events()).toEqual([]);
  });

  test("that of another topic is not, nor anything signed by a certificate from elsewhere", async () => {
    await using intake = await intakeOf(sampleOf("Amazon ECR through SNS, signature 2"));
    const before = authorities.asked.length;
    const other = {
      ...asking,
      TopicArn: `${TOPIC}-other`,
      Token: "1",
      SubscribeURL: "https://sns.eu-west-1.amazonaws.com/",
    };
    expect(await intake.deliver(snsMessage(other, "1", authorities))).toEqual(REFUSED);
    for (const host of ["evil.example", "sns.us-east-1.amazonaws.com", "sns.eu-west-1.amazonaws.com.evil.example"]) {
      const { headers, body } = snsMessage({ ...asking, Token: "1" }, "1", authorities);
      const url = `https://${host}/SimpleNotificationService-1.pem`;
      expect(
        await intake.deliver({ headers, body: jsonBody({ ...JSON.parse(String(body)), SigningCertURL: url }) }),
      ).toEqual(REFUSED);
    }
    expect(authorities.asked.slice(before)).toEqual([]);
  });
});

describe("the token of Google", () => {
  const at = () => Math.floor(Date.now() / 1000);
  const good = () => ({
    iss: "accounts.google.com",
    aud: "https://store.example.org/hooks/charts/hook",
    email: "push@acme.iam.gserviceaccount.com",
    email_verified: true,
    iat: at(),
    exp: at() + 60,
  });

  test.each<[string, object, number]>([
    ["as it should be", {}, 202],
    ["for somebody else", { aud: "https://other.example.org" }, 401],
    ["of another issuer", { iss: "https://evil.example" }, 401],
    ["of an account that is not verified", { email_verified: false }, 401],
    ["of another account", { email: "somebody@gmail.com" }, 401],
    ["that has ended", { exp: at() - 120 }, 401],
    ["that never ends", { exp: undefined }, 401],
  ])("%s", async (_, claims, status) => {
    const sample = sampleOf("Google Artifact Registry");
    await using intake = await intakeOf(sample);
    const token = authorities.token({ ...good(), ...claims });
    const { body } = make(sample);
    expect(await intake.deliver({ body, headers: { authorization: `Bearer ${token}` } })).toMatchObject({ status });
  });

  test("signed by a stranger, or not at all", async () => {
    const sample = sampleOf("Google Artifact Registry");
    await using intake = await intakeOf(sample);
    const { body } = make(sample);
    const [, claims] = authorities.token(good()).split(".");
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${claims}.`;
    for (const token of [authorities.token(good(), "stranger"), unsigned, "nonsense"]) {
      expect(await intake.deliver({ body, headers: { authorization: `Bearer ${token}` } })).toEqual(REFUSED);
    }
  });

  test("while its keys cannot be had, the sender is told to come again", async () => {
    const sample = sampleOf("Google Artifact Registry");
    const { oidc } = sample.receiver;
    const receiver = {
      ...sample.receiver,
      oidc: { audience: "", email: "", ...oidc, keysUrl: "http://127.0.0.1:9/keys" },
    };
    await using intake = await openIntake({ url: sample.url, receiver, secrets: {} });
    expect(await intake.deliver(make(sample))).toMatchObject({ status: 503 });
  });
});

describe("whoever asks", () => {
  test.each<[string, string, RequestInit, number, Readonly<Record<string, string | null>>]>([
    ["elsewhere", "/", { method: "POST" }, 404, {}],
    ["above the hooks", "/hooks/charts", { method: "POST" }, 404, {}],
    ["with a path that climbs", "/hooks/charts/..%2f..%2fsecrets", { method: "POST" }, 404, {}],
    ["to read", "/hooks/charts/hook", {}, 405, { allow: "POST, OPTIONS" }],
    ["what is allowed", "/hooks/charts/hook", { method: "OPTIONS" }, 204, { allow: "POST, OPTIONS" }],
    [
      "for consent to send events",
      "/hooks/charts/hook",
      { method: "OPTIONS", headers: { "webhook-request-origin": "events.example.org", "webhook-request-rate": "120" } },
      200,
      { "webhook-allowed-origin": "events.example.org", "webhook-allowed-rate": "120", allow: "POST, OPTIONS" },
    ],
    [
      "for more than there is",
      "/hooks/nobody/knows",
      { method: "OPTIONS", headers: { "webhook-request-origin": "a.example", "webhook-request-rate": "100000" } },
      200,
      { "webhook-allowed-origin": "a.example", "webhook-allowed-rate": "600" },
    ],
    [
      "with a form",
      "/hooks/charts/hook",
      { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "payload=%7B%7D" },
      415,
      {},
    ],
    ["with packed bytes", "/hooks/charts/hook", { method: "POST", headers: { "content-encoding": "gzip" } }, 415, {}],
  ])("%s is answered as HTTP has it", async (...[, path, request, status, headers]) => {
    await using intake = await intakeOf(sampleOf("GitHub, push"));
    const answer = await fetch(`${intake.url}${path}`, request);
    expect([answer.status, await answer.text()]).toEqual([status, ""]);
    for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name), name).toBe(value);
  });

  test("proven nonsense is told what is wrong with it", async () => {
    const sample = sampleOf("Harbor, default format");
    await using intake = await intakeOf(sample);
    const headers = { authorization: sample.secret };
    const send = (body: string) => intake.deliver({ headers, body: Buffer.from(body) });
    expect(await send("<xml/>")).toMatchObject({ status: 400, body: expect.stringContaining("no JSON") });
    expect(await send('{"type":"PUSH_ARTIFACT"}')).toMatchObject({
      status: 400,
      body: expect.stringContaining("no payload of harbor"),
    });
    for (const deep of ["[".repeat(1_000_000), "[".repeat(1_000_000) + "]".repeat(1_000_000)]) {
      expect(await send(deep)).toMatchObject({ status: 400 });
    }
    expect(await send('{"type":"PULL_ARTIFACT","event_data":{}}')).toEqual(ACCEPTED);
    expect(intake.events()).toEqual([]);
  });

  test("more than 600 times a minute has to wait", async () => {
    const sample = sampleOf("Harbor, default format");
    await using intake = await intakeOf(sample);
    const wrong = make(sample, { secret: "wrong" });
    const answers = await Promise.all(Array.from({ length: 800 }, () => intake.deliver(wrong)));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  });

  test("finds no secret in the log", async () => {
    for (const title of ["Quay", "Harbor, default format", "GitLab, signed"]) {
      const sample = sampleOf(title);
      await using intake = await intakeOf(sample);
      const sent = make(sample);
      await intake.deliver(sent);
      const log = JSON.stringify(intake.lines);
      expect(log).toContain("/hooks/charts/hook");
      for (const secret of [sample.secret, (sent.query ?? "?token=-").slice(7)]) expect(log).not.toContain(secret);
    }
  });
});
