import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { encodeStructured, STRUCTURED_HEADERS } from "../../shared/adapters/cloudevents.ts";
import { createNatsBlobs } from "../../shared/adapters/nats-blobs.ts";
import { closeNats, connectNats } from "../../shared/adapters/nats-connection.ts";
import { sha256 } from "../../shared/digest.ts";
import type { Event } from "../../shared/event.ts";
import { PackageUploaded } from "../../shared/events/package.ts";
import {
  VersionApproved,
  VersionRecovered,
  VersionReleased,
  VersionReviewStarted,
  VersionSubmitted,
  VersionSuspended,
} from "../../shared/events/version.ts";
import { brokenSeals } from "../../shared/lifecycle/audit.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { type DemoCharts, startDemoCharts } from "../support/charts.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { silent } from "../support/nats.ts";
import { newEvent } from "../support/objects.ts";
import { opxProcess } from "../support/opx.ts";
import { signUp } from "../support/people.ts";
import { until } from "../support/until.ts";
import { snapshot } from "./snapshot.ts";
import { VERSION } from "./story.ts";

/** What is done to a version in its life, with the event that says so, the command that does it, and the state after. */
const ACTS = [
  { action: "submit", event: VersionSubmitted, command: "version submit", state: "submitted" },
  { action: "review", event: VersionReviewStarted, command: "review start", state: "submitted" },
  { action: "pass", event: VersionApproved, command: "review pass", state: "passed" },
  { action: "release", event: VersionReleased, command: "version release", state: "active" },
  { action: "suspend", event: VersionSuspended, command: "version suspend", state: "suspended" },
  { action: "recover", event: VersionRecovered, command: "version recover", state: "active" },
] as const;
type Act = (typeof ACTS)[number];

/** One way to do it all. */
interface Way {
  upload(): Promise<void>;
  act(act: Act): Promise<void>;
}

let charts: DemoCharts;
let folder: string;
beforeAll(async () => {
  charts = await startDemoCharts();
  folder = await mkdtemp(join(tmpdir(), "walks-"));
  await writeFile(join(folder, FILE), charts.vendorPackage);
});
afterAll(async () => {
  await charts?.[Symbol.asyncDispose]();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const OPERATOR = "system:serviceaccount:default:ada";
const WORKSPACE = "demo";
const FILE = "guestbook-2.1.0.tgz";
const words = ({ action }: Act) => `please ${action}`;

/** Events on their own: the upload as whoever keeps bytes for the store announces it, all else as people send it. */
function byEvents(laptop: Laptop, token: string): Way {
  const post = async (url: string, event: Event) => {
    const headers = { ...STRUCTURED_HEADERS, authorization: `Bearer ${token}` };
    const body = Buffer.from(encodeStructured(event));
    const answer = await fetch(url, { method: "POST", headers, body });
    if (answer.status !== 202) throw new Error(`${event.type}: ${answer.status} ${await answer.text()}`);
  };
  return {
    async upload() {
      const digest = sha256(charts.vendorPackage);
      const connection = await connectNats({ url: laptop.natsUrl, name: "test" }, { log: silent });
      await createNatsBlobs(connection, { storage: "memory" }).put("uploads", digest, charts.vendorPackage);
      await closeNats(connection);
      const uploaded = newEvent(PackageUploaded, { digest, workspace: WORKSPACE, filename: FILE });
      await post(laptop.ingressUrl, { ...uploaded, operator: OPERATOR });
    },
    act: (act) =>
      post(
        `${laptop.httpUrls["event-intake"]}/events`,
        newEvent<{ version: string }>(act.event, { version: VERSION, ...{ message: words(act) } }),
      ),
  };
}

function byRest(laptop: Laptop, token: string): Way {
  const post = async (path: string, content: { readonly headers?: object; readonly body: string | FormData }) => {
    const url = `${laptop.httpUrls["rest-gateway"]}/kapis/openpitrix.io/v1/workspaces/${WORKSPACE}${path}`;
    const headers = { authorization: `Bearer ${token}`, ...content.headers };
    const answer = await fetch(url, { method: "POST", headers, body: content.body });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  return {
    async upload() {
      const body = new FormData();
      body.set("version_package", new Blob([charts.vendorPackage]), FILE);
      await post("/apps", { body });
    },
    async act(act) {
      const app = (await versionOn(laptop))?.metadata.labels?.[LABEL.appId];
      const body = JSON.stringify({ action: act.action, message: words(act) });
      await post(`/apps/${app}/versions/${VERSION}/action`, { headers: { "content-type": "application/json" }, body });
    },
  };
}

function byOpx(laptop: Laptop, token: string): Way {
  const run = async (...args: readonly string[]) => {
    const env = { OPX_SERVER: laptop.httpUrls["rest-gateway"] ?? "", OPX_SERVER_TOKEN: token };
    const { code, err } = await opxProcess(args, env);
    if (code !== 0) throw new Error(err);
  };
  return {
    upload: () => run("package", "push", join(folder, FILE), "--workspace", WORKSPACE),
    act: (act) => run(...act.command.split(" "), VERSION, "--message", words(act)),
  };
}

const versionOn = ({ kube }: Laptop) => kube.get(HelmApplicationVersion, VERSION);

/** Goes the whole way in a store of its own, and gives what it left behind. */
async function walk(way: (laptop: Laptop, token: string) => Way) {
  const laptop = await startTestLaptop();
  try {
    const token = await signUp(laptop, "ada", { role: "store-admin" });
    const { upload, act } = way(laptop, token);
    await upload();
    await until("there is a draft", async () => (await versionOn(laptop))?.status?.state === "draft");
    for (const each of ACTS) {
      await act(each);
      const newest = async () => (await versionOn(laptop))?.status?.audit?.[0];
      await until(`${each.action} is done`, async () => (await newest())?.action === each.action);
      expect(await versionOn(laptop)).toMatchObject({ status: { state: each.state } });
    }
    await laptop.settled();
    return {
      objects: withoutIds(await snapshot(laptop)),
      trail: await trailOn(laptop, token),
      ...(await sealed(laptop)),
    };
  } finally {
    await laptop.close();
  }
}

/** Whether the history is whole, and what the application came to. */
async function sealed(laptop: Laptop) {
  const audit = (await versionOn(laptop))?.status?.audit ?? [];
  const states = (await laptop.kube.list(HelmApplication)).map(({ status }) => status?.state);
  return { broken: brokenSeals(VERSION, audit), states };
}

/** The audit trail as the API tells it, without its times. */
async function trailOn(laptop: Laptop, token: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const url = `${laptop.httpUrls["rest-gateway"]}/kapis/openpitrix.io/v1/apps/-/versions/${VERSION}/audits?limit=-1`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const { items } = (await answer.json()) as { items: readonly Readonly<Record<string, unknown>>[] };
  return items.map(({ status_time: _, ...rest }) => rest);
}

/** Ids of events, and the seals that are made over them and over times, differ from walk to walk. */
function withoutIds(objects: object): unknown {
  return JSON.parse(JSON.stringify(objects, (key, value) => (IDS.has(key) ? "<id>" : value)));
}
const IDS = new Set(["event", "hash", "previous"]);

test("a version's life by raw events, by REST and by opx leaves the same objects and the same audit", async () => {
  const events = await walk(byEvents);
  expect(events.trail.map(({ status, operator, message }) => `${status} ${operator} ${message}`)).toEqual([
    ...ACTS.toReversed().map((act) => `${act.state} ${OPERATOR} ${words(act)}`),
    expect.stringMatching(`^draft ${OPERATOR}`),
  ]);
  expect(events).toMatchObject({ broken: [], states: ["active", "active"] });
  expect(Object.keys(events.objects as object).map((subject) => subject.split("/")[0])).toEqual([
    "helmapplications",
    "helmapplications",
    "helmapplicationversions",
    "helmpackages",
  ]);
  expect(await walk(byRest)).toEqual(events);
  expect(await walk(byOpx)).toEqual(events);
}, 120_000);
