import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { runCommand } from "../../knative/local/tools/run-command.ts";
import { encodeStructured, STRUCTURED_HEADERS } from "../../shared/adapters/cloudevents.ts";
import type { EventDefinition } from "../../shared/event.ts";
import { PackageUploaded } from "../../shared/events/package.ts";
import {
  VersionApproved,
  VersionDeleted,
  VersionReleased,
  VersionSubmitted,
  VersionSuspended,
} from "../../shared/events/version.ts";
import { brokenSeals } from "../../shared/lifecycle/audit.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { binary } from "../support/binaries.ts";
import { type DemoCharts, startDemoCharts } from "../support/charts.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { newEvent } from "../support/objects.ts";
import { until } from "../support/until.ts";
import { tell, VERSION } from "./story.ts";

let charts: DemoCharts;
let laptop: Laptop;
const tokens = new Map<string, string>();

const kubectl = (...args: readonly string[]) =>
  runCommand(binary("kubectl"), ["--kubeconfig", laptop.kubeconfigPath, ...args]);

beforeAll(async () => {
  charts = await startDemoCharts();
  laptop = await startTestLaptop();
  await kubectl("create", "namespace", "demo").catch(() => undefined);
  for (const [person, role] of [
    ["vic", "vendor"],
    ["rita", "reviewer"],
    ["ada", "store-admin"],
  ] as const) {
    await kubectl("create", "serviceaccount", person, "-n", "default");
    // A vendor's rights end at its workspace.
    const scope = person === "vic" ? ["rolebinding", person, "-n", "demo"] : ["clusterrolebinding", person];
    await kubectl("create", ...scope, `--clusterrole=openpitrix:${role}`, `--serviceaccount=default:${person}`);
    tokens.set(person, (await kubectl("create", "token", person, "-n", "default")).trim());
  }
  await tell(laptop, charts).upload();
  await until("there is a draft", async () => (await state()) === "draft");
});
afterAll(async () => {
  await laptop?.close();
  await charts?.[Symbol.asyncDispose]();
});

const read = () => laptop.kube.get(HelmApplicationVersion, VERSION);
const state = async () => (await read())?.status?.state;

/** Sends an act as that person and gives the status of the answer. */
async function send(person: string, act: EventDefinition<string, { version: string }>): Promise<number> {
  const event = newEvent(act, { version: VERSION });
  const headers = { ...STRUCTURED_HEADERS, authorization: `Bearer ${tokens.get(person) ?? ""}` };
  const body = Buffer.from(encodeStructured(event));
  const answer = await fetch(`${laptop.httpUrls["event-intake"]}/events`, { method: "POST", headers, body });
  return answer.status;
}

/** Posts to the REST API as that person. */
function post(person: string, path: string, body: object): Promise<Response> {
  const token = tokens.get(person);
  const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const url = `${laptop.httpUrls["rest-gateway"]}/kapis/openpitrix.io/v1${path}`;
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

describe("what a vendor, a reviewer and a store administrator may do by raw events and by REST", () => {
  test.each([
    { person: "nobody", act: VersionSubmitted, status: 401 },
    { person: "rita", act: VersionSubmitted, status: 403 },
    { person: "vic", act: VersionSubmitted, status: 202, to: "submitted" },
    { person: "vic", act: VersionApproved, status: 403 },
    { person: "rita", act: VersionApproved, status: 202, to: "passed" },
    { person: "rita", act: VersionReleased, status: 403 },
    { person: "vic", act: VersionReleased, status: 202, to: "active" },
    { person: "vic", act: VersionSuspended, status: 403 },
    { person: "rita", act: VersionDeleted, status: 403 },
    { person: "ada", act: VersionSuspended, status: 202, to: "suspended" },
  ] as const)("$person sends $act.type: $status", async ({ person, act, status, ...rest }) => {
    const before = await state();
    expect(await send(person, act)).toBe(status);
    const expected = "to" in rest ? rest.to : before;
    await until(`the version is ${expected}`, async () => (await state()) === expected);
  });

  test.each([
    { person: "nobody", action: "recover", status: 401 },
    { person: "rita", action: "recover", status: 403 },
    { person: "ada", action: "recover", status: 200, to: "active" },
    { person: "ada", action: "recover", status: 400 },
    { person: "vic", action: "suspend", status: 403 },
    { person: "ada", action: "suspend", status: 200, to: "suspended" },
    { person: "ada", action: "fly", status: 500 },
  ] as const)("$person asks by REST to $action: $status", async ({ person, action, status, ...rest }) => {
    const before = await state();
    const answer = await post(person, `/workspaces/demo/apps/x/versions/${VERSION}/action`, { action });
    expect(answer.status, await answer.clone().text()).toBe(status);
    // What was accepted is there when the answer is.
    expect(await state()).toBe("to" in rest ? rest.to : before);
  });

  test("the history says who it was, and is whole", async () => {
    const audit = (await read())?.status?.audit ?? [];
    const told = audit.map(({ action, operator }) => `${operator?.split(":").at(-1)} ${action}`);
    const expected = ["ada suspend", "ada recover", "ada suspend", "vic release", "rita pass", "vic submit"];
    expect(told.slice(0, 6)).toEqual(expected);
    expect(brokenSeals(VERSION, audit)).toEqual([]);
  });

  test("what only functions announce is taken from nobody", async () => {
    const upload = newEvent(PackageUploaded, { digest: `sha256:${"ab".repeat(32)}`, workspace: "demo" });
    const headers = { ...STRUCTURED_HEADERS, authorization: `Bearer ${tokens.get("ada") ?? ""}` };
    const body = Buffer.from(encodeStructured(upload));
    const answer = await fetch(`${laptop.httpUrls["event-intake"]}/events`, { method: "POST", headers, body });
    expect(answer.status).toBe(400);
  });
});
