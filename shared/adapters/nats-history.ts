import { ErrorCode, headers, type NatsConnection, type NatsError, RetentionPolicy, StorageType } from "nats";
import { Failure, messageOf } from "../errors.ts";
import type { History, HistoryRecord } from "../history-port.ts";

/** Stream in which the history of applications is kept for good. */
export const HISTORY_STREAM = "OPENPITRIX_HISTORY";

const SUBJECTS = "openpitrix.history";

/** JetStream's code for a message whose subject has one already. */
const WRONG_LAST_SEQUENCE = 10071;
const STREAM_NOT_FOUND = 10059;

/** Records that one reading takes at most; more are said to be too many. */
const MAX_RECORDS = 20_000;

/** How the stream is made where it is not there yet. */
export interface NatsHistoryOptions {
  readonly storage?: "file" | "memory";
  readonly replicas?: number;
  /** Time for one answer of JetStream; default 5 s. */
  readonly timeoutMs?: number;
}

/**
 * The history in a JetStream stream of its own without age limit, one subject per record, so that a record that is
 * appended again changes nothing. Fails with `Unavailable` while JetStream does not answer.
 */
export function createNatsHistory(connection: NatsConnection, options: NatsHistoryOptions = {}): History {
  const { timeoutMs = 5_000 } = options;
  const jetstream = connection.jetstream({ timeout: timeoutMs });
  return {
    async append(record) {
      const publish = () => jetstream.publish(subjectOf(record), JSON.stringify(record.data), { headers: onlyFirst() });
      try {
        await publish().catch(async (error: unknown) => {
          if (!isMissing(error)) throw error;
          await addStream(connection, options);
          return publish();
        });
      } catch (error) {
        if (codeOf(error) !== WRONG_LAST_SEQUENCE) throw failureOf(error, `append to the history of ${record.object}`);
      }
    },
    async read(group, object) {
      const filter = `${SUBJECTS}.${token(group)}.${object === undefined ? ">" : `${token(object)}.>`}`;
      try {
        return await readAll(connection, filter);
      } catch (error) {
        if (codeOf(error) === STREAM_NOT_FOUND) return [];
        throw failureOf(error, `read the history of ${object ?? group}`);
      }
    },
  };
}

async function readAll(connection: NatsConnection, filter: string): Promise<readonly unknown[]> {
  const manager = await connection.jetstreamManager();
  const info = await manager.streams.info(HISTORY_STREAM, { subjects_filter: filter });
  const count = Object.keys(info.state.subjects ?? {}).length;
  if (count === 0) return [];
  if (count > MAX_RECORDS) throw new Failure("TooLarge", `${count} records, at most ${MAX_RECORDS} are read at once`);
  const consumer = await connection.jetstream().consumers.get(HISTORY_STREAM, { filterSubjects: filter });
  const messages = await consumer.fetch({ max_messages: count, expires: 5_000 });
  const records: unknown[] = [];
  for await (const message of messages) records.push(message.json());
  if (records.length < count) {
    throw new Failure("Unavailable", `only ${records.length} of ${count} records came in time; ask again`);
  }
  return records;
}

async function addStream(connection: NatsConnection, { storage, replicas = 1 }: NatsHistoryOptions): Promise<void> {
  const manager = await connection.jetstreamManager();
  await manager.streams.add({
    name: HISTORY_STREAM,
    subjects: [`${SUBJECTS}.>`],
    retention: RetentionPolicy.Limits,
    storage: storage === "memory" ? StorageType.Memory : StorageType.File,
    num_replicas: replicas,
    deny_delete: true,
  });
}

function onlyFirst() {
  const only = headers();
  only.set("Nats-Expected-Last-Subject-Sequence", "0");
  return only;
}

/** Without a stream nobody listens on the subject, so JetStream is not what answers. */
function isMissing(error: unknown): boolean {
  return (error as NatsError).code === ErrorCode.NoResponders || codeOf(error) === STREAM_NOT_FOUND;
}

function codeOf(error: unknown): number | undefined {
  return (error as NatsError).api_error?.err_code;
}

function subjectOf({ group, object, key }: HistoryRecord): string {
  return [SUBJECTS, token(group), token(object), token(key)].join(".");
}

/** Names may have dots, which would be levels of a subject; the empty name stands as a dash. */
function token(name: string): string {
  return name === "" ? "-" : encodeURIComponent(name).replaceAll(".", "%2E").replaceAll("*", "%2A");
}

function failureOf(error: unknown, what: string): Failure {
  if (error instanceof Failure) return error;
  const text = (error as NatsError).api_error?.description ?? messageOf(error);
  return new Failure("Unavailable", `${what}: ${text}`, { cause: error });
}
