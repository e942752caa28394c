import * as z from "zod";
import type { HttpFunction } from "../../shared/http-function.ts";
import type { FunctionIdentity } from "../../shared/run.ts";
import { type EventNode, eventGraph } from "./event-graph.ts";

/** Subject prefix of every event in the stream. */
const SUBJECT = "openpitrix.events.";

/** The AsyncAPI 3.0 document: a channel per event type, and who sends to it and receives from it. */
export function asyncApi(functions: readonly FunctionIdentity[], httpFunctions: readonly HttpFunction[]): object {
  const nodes = eventGraph(functions, httpFunctions);
  return {
    asyncapi: "3.0.0",
    info: {
      title: "OpenPitrix events",
      version: "v1alpha1",
      description: "Every step in the life of an application, a repository and a release, as CloudEvents 1.0 in JSON.",
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    defaultContentType: "application/cloudevents+json",
    servers: {
      nats: { host: "nats.nats.svc.cluster.local:4222", protocol: "nats", description: "Stream OPENPITRIX." },
    },
    channels: Object.fromEntries(nodes.map((node) => [node.definition.type, channel(node)])),
    operations: Object.assign({}, ...functions.map(operations), ...httpFunctions.map(sends)),
    components: {
      messages: Object.fromEntries(nodes.map((node) => [node.definition.type, message(node)])),
      schemas: { CloudEvent },
    },
  };
}

function channel({ definition: { type, summary } }: EventNode) {
  return {
    address: `${SUBJECT}${type}`,
    summary,
    messages: { event: { $ref: `#/components/messages/${type}` } },
  };
}

function message({ definition: { type, summary, data, example } }: EventNode) {
  const schema = z.toJSONSchema(data, { target: "draft-07", io: "input" });
  // The document has a dialect of its own; a second one inside confuses readers.
  const { $schema: _, ...payload } = schema;
  return {
    name: type,
    summary,
    contentType: "application/cloudevents+json",
    payload: {
      allOf: [
        { $ref: "#/components/schemas/CloudEvent" },
        { type: "object", required: ["data"], properties: { type: { const: type }, data: payload } },
      ],
    },
    examples: [{ payload: exampleOf(type, example) }],
  };
}

function exampleOf(type: string, data: unknown) {
  return {
    specversion: "1.0",
    id: "9f86d081884c7d659a2feaa0c55ad015",
    source: "/example",
    type,
    datacontenttype: "application/json",
    data,
  };
}

function operations({ name, function: { on, emits, summary } }: FunctionIdentity): object {
  const receives = { action: "receive", summary, ...on_(on.type) };
  return { [`${name}.receives`]: receives, ...sends({ name, emits }) };
}

function sends({ name, emits }: Pick<HttpFunction, "name" | "emits">): object {
  const all = emits.map(({ type }) => [
    `${name}.sends.${type}`,
    { action: "send", summary: `What ${name} announces.`, ...on_(type) },
  ]);
  return Object.fromEntries(all);
}

function on_(type: string) {
  return {
    channel: { $ref: `#/channels/${type}` },
    messages: [{ $ref: `#/channels/${type}/messages/event` }],
  };
}

const text = (description: string) => ({ type: "string", description });

/** The attributes around the data of every event. */
const CloudEvent = {
  type: "object",
  required: ["specversion", "id", "source", "type"],
  properties: {
    specversion: { const: "1.0" },
    id: { ...text("Same id, same source: the same event, told again."), minLength: 1 },
    source: { ...text("Function, gateway or source that tells it."), minLength: 1 },
    type: { ...text("What happened."), minLength: 1 },
    subject: text("Object it happened to: <plural>/<name> or <plural>/<namespace>/<name>."),
    time: { ...text("When it was told."), format: "date-time" },
    datacontenttype: text("application/json."),
    partitionkey: text("Application or repository that the event belongs to."),
    correlationid: text("Id of the event that the chain began with."),
    causationid: text("Id of the event that led to this one."),
    traceparent: text("W3C trace context."),
    operator: text("Who acted, as the gateway saw it."),
  },
};
