import type { IncomingMessage, ServerResponse } from "node:http";
import { decodeHttp } from "../../../shared/adapters/cloudevents.ts";
import type { Event } from "../../../shared/event.ts";
import { answerError, type HttpServer, type ListenOptions, readRequest, startHttpServer } from "../http-server.ts";

/** Stores one event for good; resolved means that it is in a stream. */
export type Store = (event: Event) => Promise<void>;

const MAX_BODY = 1024 * 1024;

/**
 * Takes events in for the given Brokers: `POST /<namespace>/<broker>`, binary, structured or batched, and notes on each
 * when it came, as Knative's ingress does. Answers 202 once all are stored, 400 for what is no CloudEvent, 404 for a
 * path without a Broker, 413 beyond 1 MiB, 503 if storing fails.
 */
export function startIngress(brokers: ReadonlyMap<string, Store>, listen: ListenOptions): Promise<HttpServer> {
  return startHttpServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const store = brokers.get(path.slice(1));
    if (!store) {
      const known = [...brokers.keys()].map((name) => `/${name}`).join(", ");
      return answerError(response, 404, `there is no Broker at ${path}; send events to ${known}`);
    }
    await answer(request, response, store);
  }, listen);
}

async function answer(request: IncomingMessage, response: ServerResponse, store: Store): Promise<void> {
  switch (request.method) {
    case "OPTIONS": {
      // The handshake by which webhook senders ask whether they may send here.
      const headers = { allow: "POST, OPTIONS", "webhook-allowed-origin": "*", "webhook-allowed-rate": "*" };
      return void response.writeHead(200, headers).end();
    }
    case "POST": {
      const events = decodeHttp(request.headers, await readRequest(request, MAX_BODY));
      const knativearrivaltime = new Date().toISOString();
      for (const event of events) await store({ ...event, extensions: { ...event.extensions, knativearrivaltime } });
      return void response.writeHead(202).end();
    }
    default:
      return answerError(response, 405, "send events with POST");
  }
}
