import type { User } from "../../shared/access-port.ts";
import { eventsIn } from "../../shared/cloudevent-request.ts";
import { sha256 } from "../../shared/digest.ts";
import type { Event } from "../../shared/event.ts";
import { AppEdited } from "../../shared/events/app.ts";
import { defineHttpFunction, type HttpAnswer, type HttpPorts, type HttpRequest } from "../../shared/http-function.ts";
import { permitted } from "../../shared/lifecycle/permissions.ts";
import { LABEL, STORE_REPO } from "../../shared/resources/labels.ts";
import { ACTS, actOf, type PersonsAct, TARGETS } from "./acts.ts";

/** Events that one request may carry. */
const MAX_EVENTS = 100;

/** How Kubernetes lets objects be called. */
const OBJECT_NAME = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/** Where people send their acts as CloudEvents: who they are is asked of Kubernetes, and stamped on the event. */
export default defineHttpFunction({
  name: "event-intake",
  summary: "Takes acts as CloudEvents at POST /events from whoever Kubernetes allows them, and stamps who it was.",
  visibility: "public",
  emits: ACTS,
  reads: TARGETS,
  uses: ["access"],
  timeoutMs: 10_000,
  maxBodyBytes: 1024 * 1024,
  rate: { perMinute: 600, key: ({ headers }) => headers["authorization"] ?? "" },
  async handle(request, ports) {
    if (request.path.replace(/\/$/, "") !== "/events") return refusal(404, "send CloudEvents to POST /events");
    if (request.method !== "POST")
      return { ...refusal(405, "send CloudEvents to POST /events"), headers: { allow: "POST" } };
    const user = await callerOf(request, ports);
    if (!user) return refusal(401, "no bearer token that Kubernetes knows; kubectl create token makes one");
    const events = await eventsIn(request);
    if (events.length > MAX_EVENTS)
      return refusal(413, `${events.length} events, at most ${MAX_EVENTS} are taken at once`);
    return take(events, user, ports);
  },
});

type Ports = HttpPorts<(typeof ACTS)[number], (typeof TARGETS)[number], "access">;

function callerOf({ headers }: HttpRequest, { access }: Ports): Promise<User | undefined> | undefined {
  const token = /^Bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1];
  return token === undefined ? undefined : access.authenticate(token);
}

/** All or none: nothing is announced before everything was found permitted. */
async function take(events: readonly Event[], user: User, ports: Ports): Promise<HttpAnswer> {
  const acts: PersonsAct[] = [];
  for (const event of events) {
    const act = readAct(event);
    if ("status" in act) return act;
    const refused = await refusedTo(user, act, ports);
    if (refused) return refused;
    acts.push(act);
  }
  const ids: string[] = [];
  for (const [index, { announcement }] of acts.entries()) {
    // The sender's own id, told apart by sender: the same event sent again is the same act.
    const id = sha256([user.name, events[index]?.source, events[index]?.id].join("\0")).slice(7, 39);
    ids.push((await ports.publish(announcement, { id, operator: user.name })).id);
  }
  return json(202, { accepted: ids });
}

function readAct(event: Event): PersonsAct | HttpAnswer {
  try {
    const act = actOf(event);
    if (act) return act.name === "" || OBJECT_NAME.test(act.name) ? act : nameless(event, act.name);
    const types = ACTS.map(({ type }) => type).join(", ");
    return refusal(400, `event ${event.id}: ${event.type} is no act that a person can send; send one of ${types}`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return refusal(400, `event ${event.id} of type ${event.type}: data is not as its type asks: ${message}`);
  }
}

function nameless({ id, type }: Event, name: string): HttpAnswer {
  return refusal(400, `event ${id} of type ${type}: no object can be called ${JSON.stringify(name)}`);
}

async function refusedTo(user: User, act: PersonsAct, { kube, access }: Ports): Promise<HttpAnswer | undefined> {
  const { kind, name, resource, verbs } = act;
  const object = name === "" ? undefined : await kube.get<typeof kind>(kind, name);
  const labels = object?.metadata.labels;
  // What the store shows of an application is the store's to edit, not its workspace's.
  const stores = act.announcement.type === AppEdited.type && labels?.[LABEL.repoId] === STORE_REPO;
  const own = labels?.[LABEL.workspace] ?? labels?.[LABEL.workspaceOrigin] ?? act.workspace;
  const workspace = stores ? undefined : own;
  const named = name === "" ? {} : { name };
  const permission = await permitted(access, user, { verbs, resource, ...named, workspace });
  return permission.allowed ? undefined : refusal(403, permission.message);
}

function refusal(status: number, error: string): HttpAnswer {
  return { ...json(status, { error }), log: { reason: error } };
}

function json(status: number, value: object): HttpAnswer {
  return { status, headers: { "content-type": "application/json" }, body: `${JSON.stringify(value)}\n` };
}
