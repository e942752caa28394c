import { afterAll, beforeAll, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { encodeStructured, STRUCTURED_HEADERS } from "../../shared/adapters/cloudevents.ts";
import { createNatsBus } from "../../shared/adapters/nats-bus.ts";
import { closeNats, connectNats } from "../../shared/adapters/nats-connection.ts";
import { VersionSubmitted } from "../../shared/events/version.ts";
import type { DeadLetter } from "../../shared/ports.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { type DemoCharts, startDemoCharts } from "../support/charts.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { silent } from "../support/nats.ts";
import { newEvent } from "../support/objects.ts";
import { opx, opxProcess } from "../support/opx.ts";
import { until } from "../support/until.ts";
import { tell, VERSION } from "./story.ts";

let charts: DemoCharts;
let laptop: Laptop;
beforeAll(async () => {
  charts = await startDemoCharts();
  laptop = await startTestLaptop();
  await tell(laptop, charts).upload();
  await until("there is a draft", async () => (await state()) === "draft");
});
afterAll(async () => {
  await laptop?.close();
  await charts?.[Symbol.asyncDispose]();
});

const state = async () => (await laptop.kube.get(HelmApplicationVersion, VERSION))?.status?.state;
const run = (line: string) => opx(line.split(" "), { env: { NATS_URL: laptop.natsUrl } });

async function json<T>(line: string): Promise<T> {
  const { code, out, err } = await run(`${line} --json`);
  expect(code, err).toBe(0);
  return JSON.parse(out);
}

/** Gives an event up, as a function does that cannot help it. */
async function bury(letter: Pick<DeadLetter, "body" | "reason"> & Partial<DeadLetter>): Promise<void> {
  const connection = await connectNats({ url: laptop.natsUrl, name: "test" }, { log: silent });
  const why = { functionName: "version-submitted", message: "the disk was full", attempts: 7 };
  await createNatsBus(connection).deadLetter({ ...why, headers: STRUCTURED_HEADERS, ...letter });
  await closeNats(connection);
}

test("what happened is listed, by type, by subject and by chain", async () => {
  const { code, out } = await opxProcess(["events", "--nats", laptop.natsUrl], {});
  expect(code).toBe(0);
  expect(out).toMatch(/^TIME +EVENT +SUBJECT +BY +ID +MESSAGE\n/);
  expect(out).toMatch(/ package\.uploaded +sha256:/);
  expect(out).toMatch(new RegExp(` version\\.created +helmapplicationversions/${VERSION} `));
  const [uploaded] = await json<{ id: string; type: string }[]>("events --type package");
  expect(uploaded?.type).toBe("io.openpitrix.package.uploaded");
  const chain = await json<{ type: string }[]>(`events --chain ${uploaded?.id} --type version.created`);
  expect(chain.map(({ type }) => type)).toEqual(["io.openpitrix.version.created"]);
  expect(await json<object[]>(`events --subject ${VERSION} --limit 1`)).toHaveLength(1);
  expect((await run("events --type version.suspended")).out).toBe("nothing happened\n");
});

test("a dead letter is found, shown and sent again; then what it asked for is done", async () => {
  expect((await run("dlq list")).out).toBe("no dead letters\n");
  const event = { ...newEvent(VersionSubmitted, { version: VERSION }), operator: "ann" };
  // As a Broker leaves it that was answered with an error.
  const marked = { ...event, extensions: { knativeerrorcode: 500, deadfunction: "version-submitted", keep: "this" } };
  const { source, id, type } = event;
  await bury({ body: encodeStructured(marked), reason: "Unavailable", cause: { source, id, type } });
  const listed = await run("dlq list --function version-submitted");
  expect(listed.out).toMatch(
    /^NUMBER +AGE.*\n1 +\d+s +version-submitted +version\.submitted +Unavailable +7 +the disk was full\n$/,
  );
  expect((await run("dlq list --function other")).out).toBe("no dead letters\n");
  const shown = await json<{ event: object }>("dlq show 1");
  expect(shown).toMatchObject({ id, functionName: "version-submitted", attempts: 7 });
  expect(shown.event).toEqual({ ...event, datacontenttype: "application/json", extensions: { keep: "this" } });
  expect((await run("dlq show 1")).out).toMatch(/^reason +Unavailable$[\s\S]*^ {4}"operator": "ann"/m);

  const sent = await run("dlq replay 1");
  expect(sent).toMatchObject({
    code: 0,
    out: expect.stringContaining(`${type} ${id}: sent again; opx events --chain`),
  });
  await until("the version is submitted", async () => (await state()) === "submitted");
  await run("dlq replay 1");
  await laptop.settled();
  const { status } = (await laptop.kube.get(HelmApplicationVersion, VERSION)) ?? {};
  expect(status?.audit?.filter(({ action }) => action === "submit")).toHaveLength(1);
  expect((await run("dlq remove 1")).out).toBe("letter 1: removed\n");
  expect((await run("dlq list")).out).toBe("no dead letters\n");
});

test("what is no event is shown and not sent", async () => {
  await bury({ body: Buffer.from('{"broken":\u0007'), reason: "MalformedEvent" });
  const letter = (await json<{ sequence: number; type: string }[]>("dlq list")).at(-1);
  expect(letter?.type).toBe("unreadable");
  const shown = await run(`dlq show ${letter?.sequence}`);
  expect(shown.out).toContain('no event, or not all of one; its first bytes of 11:\n  {"broken":\n');
  expect(await run(`dlq replay ${letter?.sequence}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining("holds no event that could be sent again; see opx dlq show"),
  });
});

test.each([
  ["dlq show 99", 1, "there is no dead letter 99; see opx dlq list"],
  ["dlq remove 99", 1, "there is no dead letter 99; see opx dlq list"],
  ["dlq replay x", 2, "x is no number of a dead letter"],
  ["dlq list --function a.>", 2, "a.> is no name of a function"],
  ["events --type a>b", 2, "--type a>b is no type of events"],
  ["events --limit 0", 2, "--limit 0 is no number"],
  ["events --nats nats://127.0.0.1:1", 1, "NATS at nats://127.0.0.1:1 does not answer"],
])("%s ends with %i and says why", async (line, code, words) => {
  expect(await run(line)).toMatchObject({ code, out: "", err: expect.stringContaining(words) });
});

test("without an address of NATS it says what to give", async () => {
  expect(await opx(["events"])).toMatchObject({
    code: 2,
    err: "opx: where is NATS? Give --nats URL or set NATS_URL\n",
  });
});
