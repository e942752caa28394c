import fc from "fast-check";
import { expect, test } from "vitest";
import { functions } from "../../functions/index.ts";
import type { Event } from "../../shared/event.ts";
import { AppDeleted, AppRecovered, AppSuspended } from "../../shared/events/app.ts";
import { ResourceChanged } from "../../shared/events/resource.ts";
import {
  VersionApproved,
  VersionCancelled,
  VersionDeleted,
  VersionRecovered,
  VersionRejected,
  VersionReleased,
  VersionReviewStarted,
  VersionSubmitted,
  VersionSuspended,
} from "../../shared/events/version.ts";
import type { HistoryRecord } from "../../shared/history-port.ts";
import { brokenSeals, draftEntry, stateChanged } from "../../shared/lifecycle/audit.ts";
import type { AcceptedRecord, RefusedRecord } from "../../shared/lifecycle/history.ts";
import type { ReviewStep } from "../../shared/lifecycle/states.ts";
import { STORE_SETTINGS } from "../../shared/lifecycle/store-settings.ts";
import type { KubeObject } from "../../shared/resource.ts";
import { ConfigMap } from "../../shared/resources/core.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { FINALIZER, LABEL, STORE_REPO, UNCATEGORIZED } from "../../shared/resources/labels.ts";
import { type FunctionIdentity, handle, type Runtime } from "../../shared/run.ts";
import { createMemoryCluster } from "../support/memory-cluster.ts";
import { silent } from "../support/nats.ts";
import { appState, type ModelRules, replay, rightlyRefused } from "./lifecycle-model.ts";

const APPS = ["app-1", "app-2"];
const VERSIONS = ["appv-1", "appv-2", "appv-3"];
const appOf = (version: string) => (version === "appv-3" ? "app-2" : "app-1");
const PEOPLE = ["ann", "bob", "cid"];

const VERSION_ACTS = [
  VersionSubmitted,
  VersionCancelled,
  VersionReviewStarted,
  VersionApproved,
  VersionRejected,
  VersionReleased,
  VersionSuspended,
  VersionRecovered,
  VersionDeleted,
] as const;
const APP_ACTS = [AppSuspended, AppRecovered, AppDeleted] as const;

/** One thing that somebody does, or that happens to the machinery. */
type Move =
  | {
      readonly kind: "act";
      readonly what: number;
      readonly version: string;
      readonly by: string;
      readonly step?: ReviewStep;
    }
  | { readonly kind: "app"; readonly what: number; readonly app: string; readonly by: string }
  | { readonly kind: "kubectl delete"; readonly version: string }
  | { readonly kind: "work"; readonly events: number };

const act = fc.record({
  kind: fc.constant("act" as const),
  // Acts that lead on are drawn more often, so that histories get somewhere.
  what: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(0, 3, 5) },
    { weight: 2, arbitrary: fc.nat(VERSION_ACTS.length - 1) },
  ),
  version: fc.constantFrom(...VERSIONS),
  by: fc.constantFrom(...PEOPLE),
});
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 8, arbitrary: act },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ kind: fc.constant("act" as const), what: fc.constant(3), version: fc.constantFrom(...VERSIONS) },
      by: fc.constantFrom(...PEOPLE),
      step: fc.constantFrom("isv", "business", "admin", "review"),
    }) as fc.Arbitrary<Move>,
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("app" as const),
      what: fc.nat(APP_ACTS.length - 1),
      app: fc.constantFrom(...APPS),
      by: fc.constantFrom(...PEOPLE),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("kubectl delete" as const), version: fc.constantFrom(...VERSIONS) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("work" as const), events: fc.integer({ min: 1, max: 12 }) }) },
);

/** How a version comes into the store by the shortest way. */
const entering: readonly Move[] = [
  { kind: "act", what: VERSION_ACTS.indexOf(VersionSubmitted), version: "appv-3", by: "ann" },
  { kind: "work", events: 3 },
  { kind: "act", what: VERSION_ACTS.indexOf(VersionApproved), version: "appv-3", by: "bob", step: "admin" },
  { kind: "work", events: 3 },
  { kind: "act", what: VERSION_ACTS.indexOf(VersionReleased), version: "appv-3", by: "ann" },
  { kind: "work", events: 6 },
];
/** What moves an application to and fro: whoever goes by an older view of it has every chance. */
const toAndFro: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("act" as const),
      what: fc.constantFrom(VERSION_ACTS.indexOf(VersionSuspended), VERSION_ACTS.indexOf(VersionRecovered)),
      ...{ version: fc.constant("appv-3"), by: fc.constantFrom(...PEOPLE) },
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("work" as const), events: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: move },
);
/** A version remembers its last ten acts; what comes again after more than that is another story. */
function fewActs(moves: readonly Move[]): readonly Move[] {
  const acts = moves.filter(({ kind }) => kind !== "work").slice(5);
  return moves.filter((each) => !acts.includes(each));
}
const stories = fc.oneof(
  { weight: 3, arbitrary: fc.array(move, { minLength: 4, maxLength: 16 }) },
  {
    weight: 1,
    arbitrary: fc.array(toAndFro, { minLength: 4, maxLength: 12 }).map((rest) => [...entering, ...fewActs(rest)]),
  },
);

const rules = fc.constantFrom(
  { steps: ["review"], separate: false, data: {} },
  { steps: ["isv", "business"], separate: false, data: { reviewSteps: "isv,business" } },
  { steps: ["isv", "business"], separate: true, data: { reviewSteps: "isv,business", separateReviewers: "true" } },
);

const HANDLERS = new Map<string, FunctionIdentity>(functions.map((each) => [each.function.on.type, each]));

/** Outcomes after which the bus delivers an event again. */
const AGAIN: readonly string[] = ["waiting", "retry", "busy"];

/**
 * A store whose bus delivers in any order, twice, and to functions that die between any two steps, or stand still with
 * what they have read while others go on.
 */
function createWorld(choices: readonly number[]) {
  const kube = createMemoryCluster();
  const history = new Map<string, HistoryRecord>();
  const queue: Event[] = [];
  const seen = new Set<string>();
  let now = Date.parse("2026-05-04T12:00:00Z");
  let chosen = 0;
  let calm = false;
  /** Handlers that have read and not yet written; each goes on until it is done or stands still again. */
  const paused: (() => Promise<void>)[] = [];

  /** A choice of the run's own: which event is next, whether it comes twice, where its handler dies or waits. */
  const choose = (below: number) => ((choices[chosen++ % choices.length] ?? 0) + chosen) % below;
  const publish = (event: Event) => {
    if (seen.has(event.id)) return;
    seen.add(event.id);
    queue.push(event);
  };
  const runtime = {
    kube,
    log: silent,
    clock: { now: () => new Date(now) },
    bus: { publish: async (event: Event) => publish(event) },
    history: {
      append: async (record: HistoryRecord) => {
        const key = `${record.object} ${record.key}`;
        if (!history.has(key)) history.set(key, record);
      },
    },
  } as unknown as Runtime;
  /** What may happen between the steps of one handler. */
  const trouble = (pause: () => Promise<void>) => {
    let fuse = !calm && choose(5) === 0 ? choose(4) : -1;
    return (point: string) => {
      if (fuse-- === 0) throw new Error(`the process died: ${point}`);
      return point === "gathered" && !calm && choose(4) === 0 ? pause() : undefined;
    };
  };
  const comesTwice = () => !calm && choose(7) === 0;
  const deliver = async (event: Event, pause: () => Promise<void>) => {
    const handler = HANDLERS.get(event.type);
    if (!handler) return;
    const { outcome } = await handle(handler, event, { ...runtime, checkpoint: trouble(pause) });
    if (outcome.kind === "dead") throw new Error(`${event.type} was buried: ${outcome.message}`);
    if (comesTwice() || AGAIN.includes(outcome.kind)) queue.push(event);
  };
  /** Handles an event until it is done or its handler stands still. */
  const begin = (event: Event): Promise<void> => {
    let stop = Promise.withResolvers<void>();
    const pause = () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      paused.push(() => {
        stop = Promise.withResolvers();
        resolve();
        return stop.promise;
      });
      stop.resolve();
      return promise;
    };
    const { promise } = stop;
    deliver(event, pause).then(
      () => stop.resolve(),
      (error: unknown) => stop.reject(error),
    );
    return promise;
  };
  const wake = async () => {
    for (const resume of paused.splice(choose(paused.length || 1), 1)) await resume();
  };
  const take = () => queue.splice(choose(queue.length), 1);
  /** Two at once see the objects as they were before either wrote. */
  const takeOneOrTwo = () => [...take(), ...(queue.length > 0 && choose(3) === 0 ? take() : [])];
  const work = async (deliveries: number) => {
    for (let done = 0; done < deliveries && queue.length > 0; done++) {
      await Promise.all(takeOneOrTwo().map(begin));
      if (choose(4) === 0) await wake();
    }
  };
  return {
    kube,
    history,
    publish,
    work,
    time: () => new Date(now).toISOString(),
    /** Handles until nothing is left; what waits is waited for. */
    async settle() {
      for (let round = 0; queue.length + paused.length > 0; round++) {
        // A process does not die for ever.
        calm = round > 20;
        if (round > 60) throw new Error(`never settles: ${queue.map(({ type }) => type).join(", ")}`);
        await work(queue.length);
        await wake();
        now += 5_000;
      }
    },
  };
}

type World = ReturnType<typeof createWorld>;

/** Two applications with drafts, as uploads leave them. */
async function furnish({ kube, publish }: World, data: object): Promise<void> {
  const apiVersion = "application.kubesphere.io/v1alpha1";
  const settings = { apiVersion: "v1", kind: "ConfigMap", metadata: STORE_SETTINGS, data };
  await kube.create(ConfigMap, settings as KubeObject, "test");
  for (const name of APPS) {
    await kube.create(
      HelmApplication,
      { apiVersion, kind: "HelmApplication", metadata: { name }, spec: { name } } as KubeObject,
      "test",
    );
  }
  for (const [index, name] of VERSIONS.entries()) {
    const labels = { [LABEL.appId]: appOf(name) };
    const metadata = { name, labels, finalizers: [FINALIZER.HelmApplicationVersion] };
    const spec = { name: "web", version: `1.${index}.0`, package: `pkg-${name}` };
    const made = await kube.create(
      HelmApplicationVersion,
      { apiVersion, kind: "HelmApplicationVersion", metadata, spec } as KubeObject,
      "test",
    );
    const entry = draftEntry({ name, time: "2026-05-04T11:00:00Z", event: `made-${name}` });
    await kube.replaceStatus(
      HelmApplicationVersion,
      { ...made, status: { state: "draft", audit: [entry] } } as KubeObject,
      "test",
    );
    const fact = stateChanged({ metadata }, entry);
    publish({ specversion: "1.0", source: "/test", id: `made-${name}`, time: "2026-05-04T12:00:00Z", ...fact });
  }
}

/** Does one move; gives the ids of the acts on versions that it sent. */
async function play(world: World, step: Move, index: number): Promise<readonly string[]> {
  const id = `act-${index}`;
  const base = { specversion: "1.0", id, source: "/test", time: world.time() } as const;
  switch (step.kind) {
    case "work":
      await world.work(step.events);
      return [];
    case "app": {
      const { type } = APP_ACTS[step.what] ?? AppSuspended;
      world.publish({ ...base, type, operator: step.by, data: { app: step.app } });
      return [];
    }
    case "kubectl delete":
      world.kube.delete(HelmApplicationVersion, step.version);
      world.publish({
        ...base,
        type: ResourceChanged.type,
        data: { change: "update", kind: "HelmApplicationVersion", name: step.version },
      });
      return [];
    case "act": {
      const { type } = VERSION_ACTS[step.what] ?? VersionSubmitted;
      const data = { version: step.version, ...(step.step === undefined ? {} : { step: step.step }) };
      world.publish({ ...base, type, operator: step.by, data });
      return [id];
    }
  }
}

const accepted = (records: readonly HistoryRecord[]) => ofOutcome<AcceptedRecord>(records, "accepted");
const refused = (records: readonly HistoryRecord[]) => ofOutcome<RefusedRecord>(records, "refused");

function ofOutcome<R extends AcceptedRecord | RefusedRecord>(records: readonly HistoryRecord[], outcome: R["outcome"]) {
  return records.map(({ data }) => data as R).filter((data) => data.outcome === outcome);
}

/** Compares what is with what the model says of the history. */
async function check(world: World, model: ModelRules, acts: readonly string[]): Promise<void> {
  const records = [...world.history.values()];
  const states = new Map<string, string>();
  for (const name of VERSIONS) {
    const own = accepted(records.filter(({ object }) => object === name));
    const state = await checkVersion(world, name, { own, model });
    if (state !== "gone") states.set(name, state);
  }
  for (const record of refused(records)) expect(rightlyRefused(record), JSON.stringify(record)).toBe(true);
  checkActs(records, acts);
  for (const name of APPS) {
    const left = VERSIONS.filter((version) => appOf(version) === name).flatMap((version) => states.get(version) ?? []);
    await checkApp(world, name, left);
  }
}

interface Story {
  readonly own: readonly AcceptedRecord[];
  readonly model: ModelRules;
}

async function checkVersion({ kube }: World, name: string, { own, model }: Story): Promise<string> {
  const version = await kube.get(HelmApplicationVersion, name);
  const state = replay(own, model);
  expect(version?.status?.state ?? "gone", name).toBe(state);
  const numbers = own.map(({ audit }) => audit?.sequence ?? 0).sort((a, b) => a - b);
  expect(numbers, `${name} has no gap in its history`).toEqual(own.map((_, index) => index + 1));
  expect(brokenSeals(name, version?.status?.audit ?? []), name).toEqual([]);
  const deeds = own.map(({ audit }) => audit?.event);
  expect(new Set(deeds).size, `no event moves ${name} twice`).toBe(deeds.length);
  return state;
}

function checkActs(records: readonly HistoryRecord[], acts: readonly string[]): void {
  // What comes twice may find the version gone the second time; there is nobody left who could remember the first.
  const denied = refused(records).flatMap(({ event, reason }) => (reason === "VersionNotFound" ? [] : [event]));
  const ended = [...accepted(records).map(({ audit }) => audit?.event), ...denied];
  for (const id of acts) {
    const times = ended.filter((each) => each === id).length;
    expect(times, `${id} has its effect or its refusal once`).toBeLessThanOrEqual(1);
  }
}

async function checkApp({ kube }: World, name: string, left: readonly string[]): Promise<void> {
  const app = await kube.get(HelmApplication, name);
  if (!app) {
    expect(left, `${name} went with versions`).toEqual([]);
    return;
  }
  const state = appState(left);
  expect(app.status?.state, name).toBe(state);
  const copy = await kube.get(HelmApplication, `${name}-store`);
  if (copy) expect(copy.status?.state, "the store's copy").toBe(state);
  if (state !== "draft") expect(copy, `${name} is in the store`).toBeDefined();
}

/** Whoever counts, and whenever: the category has as many as there are in the store. */
async function checkCount({ kube }: World): Promise<void> {
  const copies = await kube.list(HelmApplication, { labels: { [LABEL.repoId]: STORE_REPO } });
  const total = (await kube.get(HelmCategory, UNCATEGORIZED))?.status?.total ?? 0;
  expect(total, "counted").toBe(copies.filter(({ status }) => status?.state === "active").length);
}

const RUNS = 10_000;

test(`${RUNS} lives of applications agree with the model, whatever comes late, twice or dies`, {
  timeout: 300_000,
}, async () => {
  const choices = fc.array(fc.nat(1_000), { minLength: 8, maxLength: 24 });
  await fc.assert(
    fc.asyncProperty(rules, choices, stories, async ({ data, ...model }, chosen, story) => {
      const world = createWorld(chosen);
      await furnish(world, data);
      const acts: string[] = [];
      for (const [index, step] of story.entries()) acts.push(...(await play(world, step, index)));
      await world.settle();
      await check(world, model, acts);
      await checkCount(world);
    }),
    { numRuns: RUNS },
  );
});
