import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { authenticate } from "./authenticate.ts";
import type { Call } from "./call.ts";
import type { Certificate } from "./certificate.ts";
import { dispatch, openPaths, type Serving } from "./dispatch.ts";
import { ApiError, internal, tooManyRequests, unauthorized } from "./errors.ts";
import { sendAnswer } from "./send-answer.ts";
import type { User } from "./user.ts";

const inFlightLimit = 400;
const anonymous: User = { name: "system:anonymous", groups: ["system:unauthenticated"] };

/** Makes the HTTPS server in front of everything; it does not listen yet. */
export function createHttpServer(serving: Serving, certificate: Certificate): Server {
  let inFlight = 0;
  const server = createServer(
    { key: certificate.key, cert: certificate.certificate, keepAliveTimeout: 75_000 },
    (request, response) => {
      if (inFlight >= inFlightLimit) {
        void refuse(response, tooManyRequests("too many requests, please try again later", 1));
        return;
      }
      inFlight += 1;
      // A watch that streams is no load; only the time until it starts counts.
      let counted = true;
      const settled = (): void => {
        if (counted) inFlight -= 1;
        counted = false;
      };
      if (isWatch(request)) setImmediate(settled);
      void handle(serving, request, response).finally(settled);
    },
  );
  server.on("clientError", (_, socket) => socket.destroy());
  return server;
}

function isWatch(request: IncomingMessage): boolean {
  return /[?&]watch=(?:1|true)|\/watch\//u.test(request.url ?? "");
}

async function handle(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const call = callOf(serving, request, response);
    const answer = await dispatch(serving, call);
    if (answer !== undefined) await sendAnswer(call, answer);
  } catch (error) {
    if (!(error instanceof ApiError)) serving.report(`${request.method} ${request.url}: ${(error as Error).stack}`);
    await refuse(response, error);
  }
}

function callOf(serving: Serving, request: IncomingMessage, response: ServerResponse): Call {
  const url = new URL(request.url ?? "/", "https://kubernetes");
  const user = authenticate(serving.credentials, request.headers);
  const open = openPaths.has(`/${url.pathname.split("/")[1]}`);
  if (user === undefined && !open) throw unauthorized();
  const method = request.method ?? "GET";
  return {
    method,
    path: url.pathname,
    query: url.searchParams,
    request,
    response,
    user: user ?? anonymous,
    warnings: [],
  };
}

async function refuse(response: ServerResponse, error: unknown): Promise<void> {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status } = error instanceof ApiError ? error : internal((error as Error).message);
  response.statusCode = status.code;
  response.setHeader("content-type", "application/json");
  const retry = status.details?.retryAfterSeconds;
  if (retry !== undefined) response.setHeader("retry-after", String(retry));
  // A body that was not read to its end must not be taken for the next request.
  if (!response.req.complete) response.setHeader("connection", "close");
  response.end(JSON.stringify(status));
}
