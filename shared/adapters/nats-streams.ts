import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  type NatsConnection,
  type NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "nats";
import { Failure, messageOf } from "../errors.ts";

/** Stream with all events. */
export const EVENT_STREAM = "OPENPITRIX";

/** Stream with what no retry will help. */
export const DEAD_LETTER_STREAM = "OPENPITRIX_DLQ";

/** Subjects of events start so. */
export const EVENT_SUBJECTS = "openpitrix.events";

/** Subjects of dead letters start so. */
export const DEAD_LETTER_SUBJECTS = "openpitrix.dlq";

/** How the streams are kept; everything has a default fit for a single server. */
export interface StreamSettings {
  readonly storage?: "file" | "memory";
  readonly replicas?: number;
  /** Age at which events and dead letters are dropped; default 30 days. */
  readonly maxAgeMs?: number;
  /** Size at which the oldest are dropped; default 8 GiB for events, 1 GiB for dead letters. */
  readonly maxBytes?: number;
  readonly maxDeadLetterBytes?: number;
  /** Time in which a repeated event id is recognised; default 30 minutes. */
  readonly duplicateWindowMs?: number;
}

/** A durable pull consumer: the place where one Trigger stands in the stream. */
export interface DurableSpec {
  readonly name: string;
  /** One subject, or a prefix that ends in `.>`. */
  readonly filterSubject: string;
  /** Longest silence of a handler before its event is delivered again. */
  readonly ackWaitMs: number;
  /**
   * Events under way or put back for later; default 1000. Events that wait out a delay count, so a limit near the
   * concurrency would let a few of them block all others.
   */
  readonly maxAckPending?: number;
  /** Where a new durable starts: at what comes from now on (default), or at the oldest event kept. */
  readonly start?: "new" | "all";
}

/** What should be there. */
export interface Provision {
  readonly streams?: StreamSettings;
  readonly durables: readonly DurableSpec[];
  /** Reports differences and changes nothing. */
  readonly check?: boolean;
}

/** One difference between what should be and what was found. */
export interface Drift {
  /** `OPENPITRIX` or `OPENPITRIX/version-submitted`. */
  readonly object: string;
  /** `missing` for the whole object. */
  readonly field: string;
  readonly found: unknown;
  readonly wanted: unknown;
}

const DAY_MS = 86_400_000;
const GIB = 1024 ** 3;

/**
 * Creates or updates both streams and all durables; repeating it changes nothing. Returns what differed before.
 * Fails with `Invalid` where a difference cannot be changed in place (retention, storage), naming stream and field.
 */
export async function provision(connection: NatsConnection, wanted: Provision): Promise<readonly Drift[]> {
  const manager = await connection.jetstreamManager();
  const drift: Drift[] = [];
  for (const config of streamConfigs(wanted.streams ?? {})) {
    drift.push(...(await provisionStream(manager, config, wanted.check ?? false)));
  }
  for (const durable of wanted.durables) {
    drift.push(...(await provisionDurable(manager, durable, wanted.check ?? false)));
  }
  return drift;
}

function streamConfigs(settings: StreamSettings): readonly StreamWish[] {
  const { storage = "file", replicas = 1, maxAgeMs = 30 * DAY_MS, duplicateWindowMs = 1_800_000 } = settings;
  const common = {
    retention: RetentionPolicy.Limits,
    storage: storage === "file" ? StorageType.File : StorageType.Memory,
    discard: DiscardPolicy.Old,
    num_replicas: replicas,
    max_age: nanos(maxAgeMs),
    duplicate_window: nanos(Math.min(duplicateWindowMs, maxAgeMs)),
  };
  return [
    { ...common, name: EVENT_STREAM, subjects: [`${EVENT_SUBJECTS}.>`], max_bytes: settings.maxBytes ?? 8 * GIB },
    {
      ...common,
      name: DEAD_LETTER_STREAM,
      subjects: [`${DEAD_LETTER_SUBJECTS}.>`],
      max_bytes: settings.maxDeadLetterBytes ?? GIB,
    },
  ];
}

type StreamWish = Partial<StreamConfig> & Pick<StreamConfig, "name">;

async function provisionStream(manager: JetStreamManager, wish: StreamWish, check: boolean): Promise<readonly Drift[]> {
  const found = await orUndefined(manager.streams.info(wish.name));
  if (!found) {
    if (!check) await manager.streams.add(wish).catch(explain(wish.name));
    return [{ object: wish.name, field: "missing", found: true, wanted: false }];
  }
  const drift = differences(wish.name, found.config, wish);
  if (check || drift.length === 0) return drift;
  refuseUnchangeable(drift, ["retention", "storage"]);
  await manager.streams.update(wish.name, { ...found.config, ...wish }).catch(explain(wish.name));
  return drift;
}

async function provisionDurable(
  manager: JetStreamManager,
  spec: DurableSpec,
  check: boolean,
): Promise<readonly Drift[]> {
  const object = `${EVENT_STREAM}/${spec.name}`;
  const wish = durableConfig(spec);
  const found = await orUndefined(manager.consumers.info(EVENT_STREAM, spec.name));
  if (!found) {
    const deliver_policy = spec.start === "all" ? DeliverPolicy.All : DeliverPolicy.New;
    if (!check) await manager.consumers.add(EVENT_STREAM, { ...wish, deliver_policy }).catch(explain(object));
    return [{ object, field: "missing", found: true, wanted: false }];
  }
  const drift = differences(object, found.config, wish);
  if (check || drift.length === 0) return drift;
  refuseUnchangeable(drift, ["ack_policy"]);
  const { deliver_policy } = found.config;
  await manager.consumers.add(EVENT_STREAM, { ...found.config, ...wish, deliver_policy }).catch(explain(object));
  return drift;
}

function durableConfig({
  name,
  filterSubject,
  ackWaitMs,
  maxAckPending = 1_000,
}: DurableSpec): Partial<ConsumerConfig> {
  return {
    durable_name: name,
    filter_subject: filterSubject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: maxAckPending,
    max_deliver: -1,
  };
}

function differences(object: string, found: object, wanted: object): readonly Drift[] {
  const known = found as Readonly<Record<string, unknown>>;
  return Object.entries(wanted)
    .filter(([field, value]) => JSON.stringify(known[field]) !== JSON.stringify(value))
    .map(([field, value]) => ({ object, field, found: known[field], wanted: value }));
}

function refuseUnchangeable(drift: readonly Drift[], fields: readonly string[]): void {
  const fixed = drift.find(({ field }) => fields.includes(field));
  if (!fixed) return;
  const { object, field, found, wanted } = fixed;
  throw new Failure(
    "Invalid",
    `${object}: ${field} is ${String(found)} and cannot become ${String(wanted)}; copy its messages to a new stream, or change the settings back`,
  );
}

async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if ((error as NatsError).api_error?.code === 404) return undefined;
    throw new Failure("Unavailable", `JetStream does not answer: ${messageOf(error)}`, { cause: error });
  }
}

function explain(object: string): (error: unknown) => never {
  return (error) => {
    throw new Failure("Invalid", `${object} cannot be provisioned: ${messageOf(error)}`, { cause: error });
  };
}
