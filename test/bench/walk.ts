import { connect, type NatsConnection } from "nats";
import type { Laptop } from "../../knative/local/laptop.ts";
import { decodeNats } from "../../shared/adapters/cloudevents.ts";
import { createNatsBus } from "../../shared/adapters/nats-bus.ts";
import { mapLimited } from "../../shared/concurrency.ts";
import type { Event, EventDefinition } from "../../shared/event.ts";
import { AppChanged } from "../../shared/events/app.ts";
import {
  VersionApproved,
  VersionReleased,
  VersionReviewStarted,
  VersionStateChanged,
  VersionSubmitted,
} from "../../shared/events/version.ts";
import { draftEntry } from "../../shared/lifecycle/audit.ts";
import type { Bus } from "../../shared/ports.ts";
import type { KubeObject } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { FINALIZER, LABEL } from "../../shared/resources/labels.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { newEvent } from "../support/objects.ts";
import type { Row, Sides } from "./row.ts";

const ACTS = [VersionSubmitted, VersionReviewStarted, VersionApproved, VersionReleased] as const;
const API_VERSION = "application.kubesphere.io/v1alpha1";

/** Writes and publishes of the peer in one round. */
const PEER_STEPS = 200;

interface Walks {
  readonly id: string;
  readonly inFlight: number;
  /** Walks of one round. */
  readonly count: number;
  readonly percentile: number;
  readonly target: number;
}

/** The walk of one version while nothing else happens, and of many at once; targets beyond the first are ours. */
export const WALK_ROWS: readonly Row[] = [
  walks({ id: "walk-p50", inFlight: 1, count: 30, percentile: 50, target: 12 }),
  walks({ id: "walk-p99", inFlight: 1, count: 100, percentile: 99, target: 100 }),
  walks({ id: "walk-50-p50", inFlight: 50, count: 100, percentile: 50, target: 1_000 }),
  walks({ id: "walk-50-p99", inFlight: 50, count: 100, percentile: 99, target: 1_500 }),
  walks({ id: "walk-500-p50", inFlight: 500, count: 500, percentile: 50, target: 10_000 }),
  walks({ id: "walk-500-p99", inFlight: 500, count: 500, percentile: 99, target: 15_000 }),
];

function walks({ id, inFlight, count, percentile, target }: Walks): Row {
  return {
    id,
    what: `submit, review, pass, release, visible in the store: p${percentile} of a walk with ${inFlight} in flight`,
    peerName: "one awaited KV put and one awaited publish",
    unit: "ms",
    better: "lower",
    target,
    prepare: () => prepare({ inFlight, count, percentile }),
  };
}

async function prepare({
  inFlight,
  count,
  percentile,
}: Pick<Walks, "inFlight" | "count" | "percentile">): Promise<Sides> {
  const laptop = await startTestLaptop();
  const connection = await connect({ servers: laptop.natsUrl });
  const bus = createNatsBus(connection);
  const heard = listen(connection);
  let round = 0;
  return {
    async ours() {
      const names = Array.from({ length: count }, (_, index) => `${round}-${index}`);
      round++;
      await mapLimited(names, 16, (name) => furnish(laptop, name));
      const times = await mapLimited(names, inFlight, (name) => walk(name, bus, heard));
      await laptop.settled();
      return percentileOf(times, percentile);
    },
    peer: () => peerSteps(connection, bus),
    async close() {
      await connection.close();
      await laptop.close();
    },
  };
}

/** An application with a draft, as an upload leaves it. */
async function furnish({ kube }: Laptop, name: string): Promise<void> {
  const app = `app-${name}`;
  const version = `appv-${name}`;
  const owner = { apiVersion: API_VERSION, kind: "HelmApplication" };
  await kube.create(HelmApplication, { ...owner, metadata: { name: app }, spec: { name: app } } as KubeObject, "bench");
  const metadata = { name: version, labels: { [LABEL.appId]: app }, finalizers: [FINALIZER.HelmApplicationVersion] };
  const object = {
    apiVersion: API_VERSION,
    kind: "HelmApplicationVersion",
    metadata,
    spec: { name: "web", version: "1.0.0", package: "pkg" },
  };
  const made = await kube.create(HelmApplicationVersion, object as KubeObject, "bench");
  const audit = [draftEntry({ name: version, time: new Date().toISOString(), event: "bench" })];
  await kube.replaceStatus(
    HelmApplicationVersion,
    { ...made, status: { state: "draft", audit } } as KubeObject,
    "bench",
  );
}

/** One walk, each act sent when the one before was accepted; ends when the store shows the application. Milliseconds. */
async function walk(name: string, bus: Bus, heard: Heard): Promise<number> {
  const started = performance.now();
  const shown = heard.next((event) => isShown(event, `app-${name}`));
  for (const act of ACTS as readonly EventDefinition<string, { version: string }>[]) {
    const event = newEvent(act, { version: `appv-${name}` });
    const accepted = heard.next(
      ({ type, causationid }) => type === VersionStateChanged.type && causationid === event.id,
    );
    await bus.publish(event);
    await accepted;
  }
  await shown;
  return performance.now() - started;
}

function isShown({ type, data }: Event, app: string): boolean {
  if (type !== AppChanged.type) return false;
  const told = data as { readonly app: string; readonly state: string };
  return told.app === app && told.state === "active";
}

interface Heard {
  /** The next event that fits. */
  next(fits: (event: Event) => boolean): Promise<Event>;
}

function listen(connection: NatsConnection): Heard {
  const waiting = new Map<(event: Event) => boolean, (event: Event) => void>();
  const callback = (_error: unknown, { data }: { data: Uint8Array }) => {
    const event = decodeNats({}, data);
    for (const [fits, resolve] of waiting) {
      if (!fits(event)) continue;
      waiting.delete(fits);
      resolve(event);
    }
  };
  for (const { type } of [VersionStateChanged, AppChanged])
    connection.subscribe(`openpitrix.events.${type}`, { callback });
  return { next: (fits) => new Promise((resolve) => waiting.set(fits, resolve)) };
}

async function peerSteps(connection: NatsConnection, bus: Bus): Promise<number> {
  const kv = await connection.jetstream().views.kv("bench-peer");
  const value = Buffer.alloc(1024, "x");
  const times: number[] = [];
  for (let step = 0; step < PEER_STEPS; step++) {
    const started = performance.now();
    await kv.put(`key-${step % 50}`, value);
    await bus.publish(newEvent(AppChanged, { app: "app-peer", state: "draft", latestVersion: "" }));
    times.push(performance.now() - started);
  }
  return percentileOf(times, 50);
}

function percentileOf(times: readonly number[], percentile: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percentile) / 100))] ?? Number.NaN;
}
