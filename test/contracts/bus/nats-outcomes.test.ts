import { expect, it } from "vitest";
import { createNatsBus } from "../../../shared/adapters/nats-bus.ts";
import { createNatsOutcomes } from "../../../shared/adapters/nats-outcomes.ts";
import { provision } from "../../../shared/adapters/nats-streams.ts";
import type { Event } from "../../../shared/event.ts";
import { VersionActionRefused, VersionStateChanged, VersionSubmitted } from "../../../shared/events/version.ts";
import { startNats } from "../../support/nats.ts";
import { happened, newEvent } from "../../support/objects.ts";

const types = [VersionStateChanged.type, VersionActionRefused.type];
const signal = new AbortController().signal;
const act = () => newEvent(VersionSubmitted, { version: "appv-1" });

/** What a function would announce because of an event. */
function follows({ id }: Event): Event {
  const data = { version: "appv-1", app: "app-1", from: "draft" as const, to: "submitted" as const };
  return happened(VersionStateChanged, data, { id: `after-${id}`, causationid: id });
}

it("hears the answer that comes before the publish has returned, and not those to others", async () => {
  await using nats = await startNats();
  const connection = await nats.connect();
  await provision(connection, { durables: [] });
  const [bus, outcomes] = [createNatsBus(connection), createNatsOutcomes(connection)];
  const event = act();
  const publish = async () => {
    await bus.publish(follows(act()));
    await bus.publish(event);
    await bus.publish(follows(event));
    return event;
  };
  const { outcome } = await outcomes.after(publish, { types, timeoutMs: 5_000, signal });
  expect(outcome?.id).toBe(`after-${event.id}`);
});

it("gives up in time, and finds later what followed after all", async () => {
  await using nats = await startNats();
  const connection = await nats.connect();
  await provision(connection, { durables: [] });
  const [bus, outcomes] = [createNatsBus(connection), createNatsOutcomes(connection)];
  const event = act();
  const publish = async () => {
    await bus.publish(event);
    return event;
  };
  expect(await outcomes.after(publish, { types, timeoutMs: 50, signal })).toEqual({ event });
  expect(await outcomes.find(event.id, { types, sinceMs: 60_000 })).toBe(undefined);
  await bus.publish(follows(act()));
  await bus.publish(follows(event));
  expect((await outcomes.find(event.id, { types, sinceMs: 60_000 }))?.id).toBe(`after-${event.id}`);
});

it("ends the wait when nobody wants the answer any more", async () => {
  await using nats = await startNats();
  const connection = await nats.connect();
  await provision(connection, { durables: [] });
  const gone = new AbortController();
  const publish = async () => {
    gone.abort();
    return act();
  };
  const awaited = { types, timeoutMs: 60_000, signal: gone.signal };
  expect((await createNatsOutcomes(connection).after(publish, awaited)).outcome).toBe(undefined);
});

it("passes over what is no event, whoever sent it", async () => {
  await using nats = await startNats();
  const connection = await nats.connect();
  await provision(connection, { durables: [] });
  const [bus, outcomes] = [createNatsBus(connection), createNatsOutcomes(connection)];
  const event = act();
  const publish = async () => {
    connection.publish(`openpitrix.events.${VersionStateChanged.type}`, "{");
    await bus.publish(event);
    await bus.publish(follows(event));
    return event;
  };
  const { outcome } = await outcomes.after(publish, { types, timeoutMs: 5_000, signal });
  expect(outcome?.id).toBe(`after-${event.id}`);
  expect((await outcomes.find(event.id, { types, sinceMs: 60_000 }))?.id).toBe(`after-${event.id}`);
});
