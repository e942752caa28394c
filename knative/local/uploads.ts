import { createHash, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { Failure } from "../../shared/errors.ts";
import type { DataOf, Event } from "../../shared/event.ts";
import { PackageUploaded } from "../../shared/events/package.ts";
import type { Blobs, Bus } from "../../shared/ports.ts";
import { answerError, type HttpServer, type ListenOptions, readRequest, startHttpServer } from "./http-server.ts";

/** Where uploads are kept and announced. */
export interface UploadPorts {
  readonly blobs: Pick<Blobs, "put">;
  readonly bus: Pick<Bus, "publish">;
}

const MAX_PACKAGE = 32 * 1024 * 1024;

/**
 * Takes chart packages: `POST /?workspace=<name>[&app=<HelmApplication>][&filename=<name>]` with the bytes of a package.
 * Answers 202 `{digest, event}` once the bytes are kept and `package.uploaded` is in the stream.
 */
export function startUploads(ports: UploadPorts, listen: ListenOptions): Promise<HttpServer> {
  return startHttpServer(async (request, response) => {
    if (request.method !== "POST") return answerError(response, 405, "send chart packages with POST");
    const query = new URL(request.url ?? "/", "http://localhost").searchParams;
    const bytes = await readRequest(request, MAX_PACKAGE);
    if (bytes.length === 0) throw new Failure("Invalid", "the request has no body; send the bytes of a chart package");
    const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    const event = uploaded({ digest, ...Object.fromEntries(query) });
    await ports.blobs.put("uploads", digest, bytes);
    await ports.bus.publish(event);
    accept(response, { digest, event: event.id });
  }, listen);
}

function uploaded(fields: Readonly<Record<string, string>>): Event<DataOf<typeof PackageUploaded>> {
  const data = PackageUploaded.data.safeParse(fields);
  if (!data.success) {
    const issue = data.error.issues[0];
    throw new Failure("Invalid", `query parameter ${issue?.path.join(".")}: ${issue?.message}; e.g. ?workspace=demo`);
  }
  const id = randomUUID();
  return {
    specversion: "1.0",
    id,
    source: "/openpitrix/uploads",
    type: PackageUploaded.type,
    subject: data.data.digest,
    time: new Date().toISOString(),
    datacontenttype: "application/json",
    partitionkey: data.data.digest,
    correlationid: id,
    data: data.data,
  };
}

function accept(response: ServerResponse, body: object): void {
  response.writeHead(202, { "content-type": "application/json" }).end(`${JSON.stringify(body)}\n`);
}
